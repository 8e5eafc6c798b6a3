import { printYaml } from "#base/print-yaml.ts";
import type { ClusterPki } from "./certificates.ts";

/** One cluster as a kubeconfig shows it. */
export interface KubeconfigCluster {
  readonly name: string;
  readonly server: string;
  readonly pki: ClusterPki;
}

/** A kubeconfig with one context per cluster; the first is the current one. Everything inline: the file can be copied anywhere. */
export function renderKubeconfig(clusters: readonly KubeconfigCluster[]): string {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return printYaml({
    apiVersion: "v1",
    kind: "Config",
    "current-context": clusters[0]?.name ?? "",
    clusters: clusters.map(({ name, server, pki }) => ({
      name,
      cluster: { server, "certificate-authority-data": base64(pki.ca.certificate) },
    })),
    users: clusters.map(({ name, pki }) => ({
      name,
      user: {
        "client-certificate-data": base64(pki.admin.certificate),
        "client-key-data": base64(pki.admin.privateKey),
      },
    })),
    contexts: clusters.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
  });
}
