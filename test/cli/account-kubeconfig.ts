import { writeFileSync } from "node:fs";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { printYaml } from "#base/print-yaml.ts";
import type { Client } from "#client/client.ts";

export interface AccountRequest {
  /** In karmada-system. */
  readonly account: string;
  /** An administrator's. */
  readonly client: Client;
  readonly server: string;
  readonly ca: string;
  /** Where to write it. */
  readonly file: string;
}

/** A kubeconfig of a service account: what runs with it has its rights and no others. */
export async function writeAccountKubeconfig(request: AccountRequest): Promise<string> {
  const { account: name, client, server, file } = request;
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { audiences: [] } };
  const asked = { verb: "create", subresource: "token", body } as const;
  const key = { namespace: "karmada-system", name };
  const { status } = (await client.post(kubernetesResources.ServiceAccount, key, asked)) as Fields;
  const ca = Buffer.from(request.ca).toString("base64");
  const config = {
    "current-context": name,
    clusters: [{ name, cluster: { server, "certificate-authority-data": ca } }],
    users: [{ name, user: { token: status.token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  };
  writeFileSync(file, printYaml(config));
  return file;
}
