import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Informer } from "./informer.ts";

/** Resolves when every one of these has been seen whole. */
export async function allSynced(informers: readonly Informer<ApiObject>[]): Promise<void> {
  await Promise.all(informers.map((informer) => informer.whenSynced()));
}
