import type { Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { jsonEquals } from "#base/json.ts";
import { memberResources } from "../member-resources.ts";
import { controlledBy, type SimulatedObject } from "../simulated-object.ts";
import { contentHash } from "../stable-hash.ts";
import type { Step } from "../step.ts";

export const revisionHashLabel = "controller-revision-hash";

export interface HistoryFacts {
  readonly resource: ResourceId;
  readonly owner: SimulatedObject;
  /** The ControllerRevisions that it owns. */
  readonly revisions: readonly SimulatedObject[];
}

/** The revision of the present template, and what to write so that it is on record. */
export interface History {
  readonly name: string;
  readonly hash: string;
  readonly steps: readonly Step[];
}

/** A template gets a ControllerRevision when it is new and becomes the newest again when it comes back. */
export function decideHistory({ resource, owner, revisions }: HistoryFacts): History {
  const data = recordOf(owner);
  const newest = Math.max(0, ...revisions.map(numberOf));
  const known = revisions.find((revision) => jsonEquals(revision["data"], data));
  if (known === undefined) {
    const hash = templateRevision(owner);
    const name = `${owner.metadata.name}-${hash}`;
    const object = {
      apiVersion: "apps/v1",
      kind: "ControllerRevision",
      metadata: {
        name,
        namespace: owner.metadata.namespace ?? "",
        labels: { ...owner.spec["template"]?.metadata?.labels, [revisionHashLabel]: hash },
        ownerReferences: [controlledBy(resource, owner)],
      },
      data,
      revision: newest + 1,
    };
    return { name, hash, steps: [{ do: "create", resource: memberResources.controllerRevisions, object }] };
  }
  const { name, labels } = known.metadata;
  const hash = labels?.[revisionHashLabel] ?? templateRevision(owner);
  if (numberOf(known) === newest) return { name, hash, steps: [] };
  const object = { ...known, revision: newest + 1 };
  return { name, hash, steps: [{ do: "update", resource: memberResources.controllerRevisions, object }] };
}

/** Deletes what the history limit no longer covers, oldest first; revisions that pods still have stay. */
export function trimHistory({ owner, revisions }: HistoryFacts, live: ReadonlySet<string>): readonly Step[] {
  const limit: number = owner.spec["revisionHistoryLimit"] ?? 10;
  const idle = revisions.filter(({ metadata }) => !live.has(metadata.labels?.[revisionHashLabel] ?? ""));
  return idle
    .toSorted((a, b) => numberOf(a) - numberOf(b))
    .slice(0, Math.max(idle.length - limit, 0))
    .map((object) => {
      const because = "beyond the revision history limit";
      return { do: "delete", resource: memberResources.controllerRevisions, object, because };
    });
}

/** The short name of the present template. */
export function templateRevision({ spec }: SimulatedObject): string {
  return contentHash(spec["template"]);
}

/** The template that a revision has on record. */
export function recordedTemplate(revision: SimulatedObject): Fields {
  const data = revision["data"] as Fields; // what recordOf wrote
  const { $patch: _, ...template } = data["spec"].template;
  return template;
}

/** As a patch that kubectl's rollout undo can send. */
function recordOf({ spec }: SimulatedObject): Fields {
  return { spec: { template: { ...spec["template"], $patch: "replace" } } };
}

function numberOf(revision: SimulatedObject): number {
  return Number(revision["revision"] ?? 0);
}
