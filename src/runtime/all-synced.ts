import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Informer } from "./informer.ts";

/** Resolves when every one of these has been seen whole. */
export async function allSynced(informers: readonly Informer<ApiObject>[]): Promise<void> {
  const awaited = informers.filter(({ synced }) => !synced); // asked before every turn: none, nearly always
  if (awaited.length > 0) await Promise.all(awaited.map((informer) => informer.whenSynced()));
}
