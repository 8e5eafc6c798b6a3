import type { Cluster, ClusterSpec } from "#api/cluster/cluster.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { ReviewRequest } from "#apiserver/admission.ts";
import { namedResource } from "#apiserver/core.ts";
import { jsonEquals } from "#base/json.ts";
import type { AdmissionFacts } from "./admission-facts.ts";

export interface ClusterChange {
  readonly next: Cluster;
  readonly old: Cluster | undefined;
  readonly mayGetSecret: AdmissionFacts["mayGetSecret"];
}

/** What decides where a cluster's credentials are sent, and which they are. */
const connection = [
  "apiEndpoint",
  "secretRef",
  "impersonatorSecretRef",
  "proxyURL",
  "proxyHeader",
  "insecureSkipTLSVerification",
] as const satisfies readonly (keyof ClusterSpec)[];

/**
 * Whoever chooses where a cluster's credentials go must be allowed to read them (ruling 22): else the right to write clusters
 * would be the right to have any of their secrets sent anywhere.
 */
export async function expectRightToSecrets(request: ReviewRequest, change: ClusterChange): Promise<void> {
  const { type, name, user } = request;
  const { next, old, mayGetSecret } = change;
  if (old !== undefined && connection.every((field) => jsonEquals(next.spec[field], old.spec[field]))) return;
  for (const secret of [next.spec.secretRef, next.spec.impersonatorSecretRef]) {
    if (secret === undefined) continue;
    if (await mayGetSecret(user, secret)) continue;
    const detail = `user ${JSON.stringify(user.name)} must be allowed to get the secret ${JSON.stringify(`${secret.namespace}/${secret.name}`)} to change how the cluster is reached`;
    throw StatusError.forbidden(namedResource(type, name), detail);
  }
}
