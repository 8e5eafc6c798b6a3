import type { ChildProcess } from "node:child_process";
import { writeAccountKubeconfig } from "./account-kubeconfig.ts";
import type { BareServer } from "./bare-server.ts";
import { type Flotilla, saying } from "./program.ts";

export interface WebhookProcess {
  readonly server: BareServer;
  readonly flotilla: Flotilla;
  readonly port: number;
  readonly flags?: readonly string[];
}

/** `flotilla webhook` as the account that `flotilla install` made for it, with its rights and no others; resolves when it is ready. */
export async function startWebhookProcess(request: WebhookProcess): Promise<ChildProcess> {
  const { server, flotilla, port, flags = [] } = request;
  const kubeconfig = await writeAccountKubeconfig({
    account: "flotilla-webhook",
    client: server.client,
    server: server.cluster.url,
    ca: server.cluster.pki.ca.certificate,
    file: `${server.kubeconfig}-webhook`,
  });
  const place = ["--secure-port", String(port), "--bind-address", "127.0.0.1", "--cert-names", "127.0.0.1,localhost"];
  const child = flotilla.start("webhook", "--kubeconfig", kubeconfig, ...place, ...flags);
  await saying(child, /^ready$/m);
  return child;
}
