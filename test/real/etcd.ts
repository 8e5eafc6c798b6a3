import { mkdirSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { freePort, type RunningProgram, startProgram, whenReady } from "./program.ts";

/** One etcd for any number of API servers, each under a prefix of its own. */
export class Etcd {
  readonly url: string;
  readonly #folder: string;
  readonly #binaries: string;
  #program: RunningProgram | undefined;

  private constructor(url: string, folder: string, binaries: string) {
    this.url = url;
    this.#folder = folder;
    this.#binaries = binaries;
  }

  static async start(folder: string, binaries: string): Promise<Etcd> {
    mkdirSync(folder, { recursive: true });
    const etcd = new Etcd(`http://127.0.0.1:${await freePort()}`, folder, binaries);
    await etcd.start();
    return etcd;
  }

  /** Starts it, again over the same data if it ran before. */
  async start(): Promise<void> {
    this.#program = await startProgram({
      file: join(this.#binaries, "etcd"),
      args: [
        `--data-dir=${join(this.#folder, "data")}`,
        `--listen-client-urls=${this.url}`,
        `--advertise-client-urls=${this.url}`,
        "--listen-peer-urls=http://127.0.0.1:0",
        "--unsafe-no-fsync", // the machine does not fail; the process may, and then nothing is lost
        "--log-level=error",
      ],
      log: join(this.#folder, "log"),
    });
    await whenReady(this.#program, () => isHealthy(this.url), "etcd");
  }

  /** How many writes there have been, of whomever. */
  async revision(): Promise<string> {
    return (await this.#ask("range", { key: "AA==" })).header.revision;
  }

  /** Forgets everything but the present state. */
  async compact(): Promise<void> {
    const { header } = await this.#ask("put", { key: "AA==", value: "AA==" }); // or the last revision that anybody saw would be kept
    await this.#ask("compaction", { revision: header.revision, physical: true });
  }

  get pid(): number {
    return this.#program?.pid ?? 0;
  }

  async kill(): Promise<void> {
    await this.#program?.kill();
  }

  async #ask(path: string, body: object): Promise<{ readonly header: { readonly revision: string } }> {
    const answer = await fetch(`${this.url}/v3/kv/${path}`, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`cannot ${path} etcd: ${await answer.text()}`);
    return (await answer.json()) as { readonly header: { readonly revision: string } }; // every answer of etcd has it
  }
}

function isHealthy(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(`${url}/health`, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on("error", () => resolve(false));
  });
}
