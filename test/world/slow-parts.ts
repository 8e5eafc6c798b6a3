import { SettledParts } from "#apiserver/write/settled-parts.ts";
import { type BuiltinKinds, loadBuiltinKinds } from "#app/builtin-kinds.ts";
import { type ClusterPki, createPki, type MakePki } from "#app/certificates.ts";

let builtin: BuiltinKinds | undefined;
const made = new Map<string, Promise<ClusterPki>>();

/** Slow to make and never changed, once for all tests of a process: fleets that follow each other have the same keys, clusters of one fleet do not. */
export function premade() {
  builtin ??= loadBuiltinKinds();
  return { builtin, makePki, settled: new SettledParts({ onSettled: deepFreeze }) };
}

/** What clusters share must not be changed by any: whoever tries fails. */
export function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
}

/** The same, and the keys of one cluster for all that nobody reaches over a network. */
export async function slowParts(): Promise<{ readonly builtin: BuiltinKinds; readonly pki: ClusterPki }> {
  const pki = await makePki({ cluster: "test", nowMs: Date.UTC(2026, 10, 15) });
  return { builtin: premade().builtin, pki };
}

/** Worlds begin on a day of their own, on which certificates of today are not valid yet. */
function makePki({ cluster, nowMs }: Parameters<MakePki>[0]): Promise<ClusterPki> {
  const key = `${cluster} ${Math.floor(nowMs / 86_400_000)}`;
  const present = made.get(key) ?? createPki({ cluster, nowMs });
  made.set(key, present);
  return present;
}
