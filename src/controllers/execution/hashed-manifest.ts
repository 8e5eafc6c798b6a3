import type { Fields } from "#api/meta/object-meta.ts";
import { manifestHashAnnotation } from "#api/work/template-keys.ts";
import { jsonHash } from "#controllers/json-hash.ts";

/**
 * Manifests as members get them: each says what it was made from. A member's object has defaults beside what we sent, so that a field
 * which the manifest has no longer cannot be told from one that the server filled in; that the hash is another one can.
 */
export class HashedManifests {
  readonly #known = new WeakMap<Fields, Fields>();

  of(manifest: Fields): Fields {
    const known = this.#known.get(manifest);
    if (known !== undefined) return known;
    const { metadata = {}, ...content } = manifest; // which labels and annotations are ours is kept in lists of their own
    const annotations = { ...metadata.annotations, [manifestHashAnnotation]: jsonHash(content) };
    const hashed = { ...manifest, metadata: { ...metadata, annotations } };
    this.#known.set(manifest, hashed);
    return hashed;
  }
}
