import type { Fields } from "#api/meta/object-meta.ts";
import { controlPlaneAnnotation, manifestHashAnnotation } from "#api/work/template-keys.ts";
import type { Work } from "#api/work/work.ts";
import { isJsonObject, mergeMembers } from "#base/json.ts";
import { jsonHash } from "#controllers/json-hash.ts";

/** Hashes of what manifests say beside their metadata; copies for several clusters mostly share that, and it is hashed once. */
export class ContentHashes {
  /** By the spec, for manifests that have nothing else. */
  readonly #known = new WeakMap<object, { readonly type: string; readonly hash: string }>();

  of(manifest: Fields): string {
    const { apiVersion, kind, spec } = manifest;
    if (!isJsonObject(spec) || hasMore(manifest)) return hashOf(manifest);
    const type = `${apiVersion} ${kind}`;
    const known = this.#known.get(spec);
    if (known?.type === type) return known.hash;
    const hash = hashOf(manifest);
    this.#known.set(spec, { type, hash });
    return hash;
  }
}

const usual: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "spec"]);

/** Whether a manifest says anything beside its spec. */
function hasMore(manifest: Fields): boolean {
  for (const key in manifest) if (!usual.has(key)) return true;
  return false;
}

function hashOf({ metadata: _, ...content }: Fields): string {
  return jsonHash(content);
}

/** A work is looked at a few times while it is sent and reported, and then hardly ever. */
const maxKnown = 1_000;

export interface HashNeeds {
  readonly hashes: ContentHashes;
  /** Which control plane this is. */
  readonly controlPlaneId: () => string | undefined;
}

interface Known {
  readonly plain: readonly unknown[];
  readonly hashed: readonly Fields[];
}

/**
 * Manifests as members get them: each says what it was made from, and by whom. A member's object has defaults beside what we sent, so that a field
 * which the manifest has no longer cannot be told from one that the server filled in; that the hash is another one can.
 */
export class HashedManifests {
  readonly #hashes: ContentHashes;
  readonly #controlPlaneId: () => string | undefined;
  /** Of the works that were looked at last, by name: those are likely to be looked at again soon. */
  readonly #known = new Map<string, Known>();

  constructor({ hashes, controlPlaneId }: HashNeeds) {
    this.#hashes = hashes;
    this.#controlPlaneId = controlPlaneId;
  }

  of({ metadata, spec }: Work): readonly Fields[] {
    const plain = spec.workload?.manifests ?? none;
    const known = this.#known.get(metadata.name);
    if (known?.plain === plain) return known.hashed;
    const hashed = objectsIn(plain).map((manifest) => this.#hash(manifest));
    this.#remember(metadata.name, { plain, hashed });
    return hashed;
  }

  forget(work: string): void {
    this.#known.delete(work);
  }

  #remember(work: string, known: Known): void {
    this.#known.delete(work);
    this.#known.set(work, known);
    if (this.#known.size <= maxKnown) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }

  #hash(manifest: Fields): Fields {
    const { metadata = {} } = manifest;
    // which labels and annotations are ours is kept in lists of their own
    const id = this.#controlPlaneId();
    const annotations = mergeMembers(
      metadata.annotations,
      { [manifestHashAnnotation]: this.#hashes.of(manifest) },
      id === undefined ? undefined : { [controlPlaneAnnotation]: id },
    );
    return mergeMembers<unknown>(manifest, { metadata: mergeMembers<unknown>(metadata, { annotations }) });
  }
}

const none: readonly unknown[] = [];

/** The objects that a work carries; what is no object is not ours and is passed over. */
export function manifestsOf({ spec }: Work): readonly Fields[] {
  return objectsIn(spec.workload?.manifests ?? none);
}

function objectsIn(manifests: readonly unknown[]): readonly Fields[] {
  return manifests.filter(isJsonObject) as readonly Fields[]; // just made sure
}
