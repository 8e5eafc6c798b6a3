import { deletionProtectedLabel, retainReplicasLabel, skipAutoPropagationLabel } from "#api/work/template-keys.ts";

/** Labels by which users tell the system what to do; theirs to change like any other. */
const instructions: ReadonlySet<string> = new Set([
  skipAutoPropagationLabel,
  retainReplicasLabel,
  deletionProtectedLabel,
]);
const systemDomain = /^(?:[^/]*\.)?karmada\.io\//;

/** Whether a label or annotation key belongs to karmada.io or a subdomain of it. */
export function isKarmadaKey(key: string): boolean {
  return systemDomain.test(key);
}

/** Whether a label or annotation is the system's own: users may read it, only the system writes it. */
export function isSystemKey(key: string): boolean {
  return isKarmadaKey(key) && !instructions.has(key);
}
