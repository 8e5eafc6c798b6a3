import type { ApiObject } from "#api/meta/object-meta.ts";

/** A write that is under way, or whose news have not been seen. */
interface OwnWrite {
  /** The revision that it came to, once that is known. */
  revision?: string;
  /** News of the object since it was begun: perhaps of this very write. */
  readonly news: { readonly revision: string; readonly tell: () => void }[];
}

/**
 * Tells what a controller changed itself from what others changed, whichever is first, the answer or the news: what one has just made
 * as it should be need not be looked at again. In doubt a change is somebody else's.
 */
export class OwnWrites {
  /** By the uid of the object. */
  readonly #writes = new Map<string, OwnWrite>();

  /** Changes an object, so that the news of it are known as one's own. */
  async change(before: ApiObject, write: () => Promise<ApiObject>): Promise<ApiObject> {
    const { uid } = before.metadata;
    const own: OwnWrite = { news: [] };
    this.#writes.set(uid, own);
    try {
      const written = await write();
      own.revision = written.metadata.resourceVersion;
      return written;
    } finally {
      const isSeen = own.news.some(({ revision }) => revision === own.revision);
      if (isSeen || own.revision === undefined) this.#writes.delete(uid);
      for (const { revision, tell } of own.news) if (revision !== own.revision) tell();
    }
  }

  /** Tells of a change, unless it is one's own: at once, or when a write that is under way has shown what it came to. */
  unlessOwn({ metadata }: ApiObject, tell: () => void): void {
    const { uid, resourceVersion: revision } = metadata;
    const own = this.#writes.get(uid);
    if (own === undefined) return tell();
    if (own.revision === undefined) return void own.news.push({ revision, tell });
    this.#writes.delete(uid);
    if (own.revision !== revision) tell();
  }
}
