import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { keyOf, type ResourceId } from "#api/meta/resource-id.ts";
import { appliedCondition } from "#api/work/condition-reasons.ts";
import type { Work } from "#api/work/work.ts";
import { isJsonObject } from "#base/json.ts";
import type { MemberView } from "#members/member.ts";
import type { ManifestFacts } from "./decide-execution.ts";
import { type ContentHashes, HashedManifests } from "./hashed-manifest.ts";
import { interpretManifest, type ManifestInterpreter, type ManifestMeaning, unobserved } from "./interpret-manifest.ts";

/** One manifest of a work, what the member has of it, and what both mean. */
export interface ReadManifest extends ManifestFacts, ManifestMeaning {}

export interface ReadNeeds {
  readonly member: MemberView;
  readonly interpreter: ManifestInterpreter;
  readonly hashes: ContentHashes;
}

/** Reads what one member has of the works that are sent there. What the member serves is asked when a kind is not known yet. */
export class ManifestReader {
  readonly #needs: ReadNeeds;
  readonly #served = new Map<string, ResourceId>();
  readonly #hashed: HashedManifests;
  /** Objects that a member has although they are not among ours: a try to create them found out. */
  readonly #foreign = new Set<string>();

  constructor(needs: ReadNeeds) {
    this.#needs = needs;
    this.#hashed = new HashedManifests(needs.hashes);
  }

  /** The member has an object of this name already. */
  expectForeign(manifest: Fields): void {
    this.#foreign.add(identityOf(manifest));
  }

  /**
   * What the member has of each manifest: from the cache of what is ours, else from the member itself (it may have one that is not). A
   * work that was never sent is tried without asking: that saves a question for every new copy.
   */
  read(work: Work, signal: AbortSignal): Promise<readonly ReadManifest[]> {
    const { member, interpreter } = this.#needs;
    const leaves = work.metadata.deletionTimestamp !== undefined;
    return Promise.all(
      manifestsOf(work).map(async (plain) => {
        const manifest = this.#hashed.of(plain);
        const resource = await this.#resourceFor(manifest, signal);
        if (resource === undefined) return unread(manifest);
        const cache = member.managed(resource);
        await cache.whenSynced();
        const key = keyOf(manifest as ApiObject);
        const known = cache.get(key);
        if (known !== undefined) this.#foreign.delete(identityOf(manifest));
        const asks = leaves || wasSent(work) || this.#foreign.has(identityOf(manifest));
        const observed = known ?? (asks ? await member.client.get(resource, key) : undefined);
        if (observed === undefined || leaves) return { manifest, resource, observed, ...unobserved(manifest) };
        const meaning = interpretManifest(interpreter, { manifest, observed });
        return { manifest, resource, observed, ...(meaning instanceof Promise ? await meaning : meaning) };
      }),
    );
  }

  async #resourceFor({ apiVersion, kind }: Fields, signal: AbortSignal): Promise<ResourceId | undefined> {
    const type = `${apiVersion} ${kind}`;
    if (!this.#served.has(type)) {
      for (const resource of await this.#needs.member.connection.resources(signal)) {
        const { group, version } = resource;
        this.#served.set(`${group === "" ? version : `${group}/${version}`} ${resource.kind}`, resource);
      }
    }
    return this.#served.get(type);
  }
}

/** Whether a work says how sending it went. */
export function wasSent({ status }: Work): boolean {
  return status?.conditions?.some(({ type }) => type === appliedCondition.type) ?? false;
}

function identityOf({ apiVersion, kind, metadata }: Fields): string {
  return `${apiVersion} ${kind} ${metadata?.namespace ?? ""}/${metadata?.name}`;
}

/** The manifests of a work whose member is not asked. */
export function unreadManifests(work: Work): readonly ReadManifest[] {
  return manifestsOf(work).map(unread);
}

function unread(manifest: Fields): ReadManifest {
  return { manifest, resource: undefined, observed: undefined, ...unobserved(manifest) };
}

/** The objects that a work carries; what is no object is not ours and is passed over. */
function manifestsOf({ spec }: Work): readonly Fields[] {
  return (spec.workload?.manifests ?? []).filter(isJsonObject) as readonly Fields[]; // just made sure
}
