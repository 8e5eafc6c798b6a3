import { type BuiltinKinds, loadBuiltinKinds } from "#app/builtin-kinds.ts";
import { type ClusterPki, createPki } from "#app/certificates.ts";

let shared: Promise<{ readonly builtin: BuiltinKinds; readonly pki: ClusterPki }> | undefined;

/** Slow to make and never changed: once for all tests of a process. */
export function slowParts() {
  shared ??= createPki({ cluster: "test", nowMs: Date.UTC(2026, 10, 15) }).then((pki) => ({
    builtin: loadBuiltinKinds(),
    pki,
  }));
  return shared;
}
