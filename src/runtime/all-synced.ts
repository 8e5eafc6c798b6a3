/** What is filled by and by, such as a cache or an index over some. */
export interface Synced {
  /** Whether the whole state has been seen once. */
  readonly synced: boolean;
  whenSynced(): Promise<void>;
}

/** Resolves when every one of these has been seen whole; undefined when it is so: asked before every turn, nearly always it is. */
export function allSynced(parts: readonly Synced[]): Promise<unknown> | undefined {
  for (const { synced } of parts) if (!synced) return Promise.all(parts.map((part) => part.whenSynced()));
  return undefined;
}

/** Goes on when every one of these has been seen whole: at once where it has. */
export function onceSynced<T>(parts: readonly Synced[], go: () => T | Promise<T>): T | Promise<T> {
  const syncing = allSynced(parts);
  return syncing === undefined ? go() : syncing.then(go);
}
