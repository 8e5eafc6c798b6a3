import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { printYaml } from "#base/print-yaml.ts";
import type { BareServer } from "./bare-server.ts";

/** A kubeconfig of a service account: what runs with it has its rights and no others. */
export async function accountKubeconfig({ client, cluster, kubeconfig }: BareServer, name: string): Promise<string> {
  const key = { namespace: "karmada-system", name };
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const request = { verb: "create", subresource: "token", body } as const;
  const { status } = (await client.post(kubernetesResources.ServiceAccount, key, request)) as Fields;
  const ca = Buffer.from(cluster.pki.ca.certificate).toString("base64");
  const file = join(kubeconfig, "..", `${name}.kubeconfig`);
  const config = {
    "current-context": name,
    clusters: [{ name, cluster: { server: cluster.url, "certificate-authority-data": ca } }],
    users: [{ name, user: { token: status.token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  };
  writeFileSync(file, printYaml(config));
  return file;
}
