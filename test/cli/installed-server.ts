import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#test/real/program.ts";
import { writeAccountKubeconfig } from "./account-kubeconfig.ts";
import { type BareServer, startBareServer } from "./bare-server.ts";
import { Flotilla, saying } from "./program.ts";

/** An API server on which Flotilla is installed, with webhook and controllers as processes that say all that they can. */
export interface InstalledServer extends AsyncDisposable {
  readonly server: BareServer;
  /** The administrator's. */
  readonly flotilla: Flotilla;
  /** For files of the test. */
  readonly folder: string;
  /** Where the controllers' figures are. */
  readonly metricsUrl: string;
  /** What the processes have written so far. */
  log(): string;
}

/** Starts everything with the rights that install gave it, and no others. */
export async function startInstalledServer(gates = ""): Promise<InstalledServer> {
  const folder = mkdtempSync(join(tmpdir(), "flotilla-installed-"));
  const server = await startBareServer("plain");
  const flotilla = new Flotilla({ KUBECONFIG: server.kubeconfig });
  let log = "";
  const startAs = async (account: string, words: readonly string[], ready: RegExp) => {
    const kubeconfig = await writeAccountKubeconfig({
      account,
      client: server.client,
      server: server.cluster.url,
      ca: server.cluster.pki.ca.certificate,
      file: join(folder, account),
    });
    const child = flotilla.start(...words, "--kubeconfig", kubeconfig, "--log-level=debug");
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        log += chunk.toString();
      });
    await saying(child, ready);
  };
  const [port, metricsPort] = [await freePort(), await freePort()];
  await flotilla.output("install", "--webhook-url", `https://127.0.0.1:${port}`);
  await startAs("flotilla-webhook", ["webhook", "--secure-port", `${port}`, "--cert-names", "127.0.0.1"], /^ready$/m);
  const flags = [`--metrics-bind-address=127.0.0.1:${metricsPort}`, "--health-probe-bind-address=0"];
  const trial = ["--allow-loopback-members", `--feature-gates=${gates}`];
  await startAs("flotilla-controllers", ["controllers", ...flags, ...trial], /"leading"/);
  return {
    server,
    flotilla,
    folder,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    log: () => log,
    async [Symbol.asyncDispose]() {
      flotilla.stop();
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
