import type { Cluster, ClusterSpec } from "#api/cluster/cluster.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { AdmissionRequest } from "#apiserver/admission.ts";
import { namedResource } from "#apiserver/core.ts";
import type { Authorizer } from "#apiserver/identity/authorize.ts";
import { jsonEquals } from "#base/json.ts";

export interface ClusterChange {
  readonly next: Cluster;
  readonly old: Cluster | undefined;
  readonly authorizer: Authorizer;
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
export function expectRightToSecrets(request: AdmissionRequest, { next, old, authorizer }: ClusterChange): void {
  const { type, name, user } = request;
  if (old !== undefined && connection.every((field) => jsonEquals(next.spec[field], old.spec[field]))) return;
  for (const secret of [next.spec.secretRef, next.spec.impersonatorSecretRef]) {
    if (secret === undefined) continue;
    if (authorizer.allows(user, { verb: "get", group: "", resource: "secrets", ...secret })) continue;
    const detail = `user ${JSON.stringify(user.name)} must be allowed to get the secret ${JSON.stringify(`${secret.namespace}/${secret.name}`)} to change how the cluster is reached`;
    throw StatusError.forbidden(namedResource(type, name), detail);
  }
}
