import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { keyOf, type ResourceId } from "#api/meta/resource-id.ts";
import { appliedCondition } from "#api/work/condition-reasons.ts";
import type { Work } from "#api/work/work.ts";
import { allKnown, onceKnown } from "#interpreter/interpreter.ts";
import type { MemberView } from "#members/member.ts";
import type { ManifestFacts } from "./decide-execution.ts";
import { HashedManifests, type HashNeeds, manifestsOf } from "./hashed-manifest.ts";
import { interpretManifest, type ManifestInterpreter, type ManifestMeaning, unobserved } from "./interpret-manifest.ts";

/** One manifest of a work, what the member has of it, and what both mean. */
export interface ReadManifest extends ManifestFacts, ManifestMeaning {}

export interface ReadNeeds extends HashNeeds {
  readonly member: MemberView;
  readonly interpreter: ManifestInterpreter;
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
    this.#hashed = new HashedManifests(needs);
  }

  /** The member has an object of this name already. */
  expectForeign(manifest: Fields): void {
    this.#foreign.add(identityOf(manifest));
  }

  /** The work has gone. */
  forget(work: string): void {
    this.#hashed.forget(work);
  }

  /**
   * What the member has of each manifest: from the cache of what is ours, else from the member itself (it may have one that is not). A
   * work that was never sent is tried without asking: that saves a question for every new copy.
   */
  read(work: Work, signal: AbortSignal): readonly ReadManifest[] | Promise<readonly ReadManifest[]> {
    const leaves = work.metadata.deletionTimestamp !== undefined;
    return allKnown(
      (leaves ? manifestsOf(work) : this.#hashed.of(work)).map((manifest) =>
        onceKnown(this.#resourceFor(manifest, signal), (resource) =>
          resource === undefined ? unread(manifest) : this.#readOne({ work, manifest, resource, leaves }),
        ),
      ),
    );
  }

  #readOne(what: Sent): ReadManifest | Promise<ReadManifest> {
    const { manifest, resource, leaves } = what;
    return onceKnown(this.#observe(what), (observed) => {
      if (observed === undefined || leaves) return { manifest, resource, observed, ...unobserved(manifest) };
      const meaning = interpretManifest(this.#needs.interpreter, { manifest, observed });
      return onceKnown(meaning, ({ desired, status, health }) => ({
        manifest,
        resource,
        observed,
        desired,
        status,
        health,
      }));
    });
  }

  #observe({ work, manifest, resource, leaves }: Sent): ApiObject | undefined | Promise<ApiObject | undefined> {
    const { member } = this.#needs;
    const cache = member.managed(resource);
    const key = keyOf(manifest as ApiObject);
    return onceKnown(cache.synced ? undefined : cache.whenSynced(), () => {
      const known = cache.get(key);
      if (known !== undefined) {
        if (this.#foreign.size > 0) this.#foreign.delete(identityOf(manifest));
        return known;
      }
      const asks = leaves || wasSent(work) || (this.#foreign.size > 0 && this.#foreign.has(identityOf(manifest)));
      return asks ? member.client.get(resource, key) : undefined;
    });
  }

  #resourceFor(
    { apiVersion, kind }: Fields,
    signal: AbortSignal,
  ): ResourceId | undefined | Promise<ResourceId | undefined> {
    const type = `${apiVersion} ${kind}`;
    return this.#served.get(type) ?? this.#ask(signal).then(() => this.#served.get(type));
  }

  async #ask(signal: AbortSignal): Promise<void> {
    for (const resource of await this.#needs.member.connection.resources(signal)) {
      const { group, version } = resource;
      this.#served.set(`${group === "" ? version : `${group}/${version}`} ${resource.kind}`, resource);
    }
  }
}

/** A manifest of a work, and where the member serves its kind. */
interface Sent {
  readonly work: Work;
  readonly manifest: Fields;
  readonly resource: ResourceId;
  readonly leaves: boolean;
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
