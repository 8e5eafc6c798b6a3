import { readBoundedFile } from "#app/bounded-text.ts";
import { type ServerAccess, tokenFromFile } from "./server-access.ts";

const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
const maxBytes = 1024 * 1024;

export interface InClusterNeeds {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  /** Where the service account is mounted, when not at the usual place. */
  readonly mount?: string;
}

/** The way that a pod's service account opens; undefined outside of pods. */
export function inClusterAccess({ env, nowMs, mount = folder }: InClusterNeeds): ServerAccess | undefined {
  const host = env["KUBERNETES_SERVICE_HOST"];
  const port = env["KUBERNETES_SERVICE_PORT"];
  const ca = readBoundedFile(`${mount}/ca.crt`, maxBytes);
  if (!host || !port || ca === undefined || readBoundedFile(`${mount}/token`, maxBytes) === undefined) return undefined;
  return {
    name: "in-cluster",
    server: new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`),
    identity: { ca },
    token: tokenFromFile(`${mount}/token`, nowMs),
    proxy: undefined,
    namespace: readBoundedFile(`${mount}/namespace`, maxBytes)?.trim(),
  };
}
