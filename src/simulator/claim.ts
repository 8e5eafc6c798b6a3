import { type LabelRequirements, matchesLabels } from "#api/meta/label-selector.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { isPodEnded } from "./pods/pod-counts.ts";
import { controlledBy, isBeingDeleted, type SimulatedObject } from "./simulated-object.ts";
import type { Step } from "./step.ts";

export interface ClaimFacts {
  readonly ownerResource: ResourceId;
  readonly owner: SimulatedObject;
  readonly selector: LabelRequirements;
  /** What the claimed objects are. */
  readonly resource: ResourceId;
  /** Those that name the owner as their controller. */
  readonly owned: readonly SimulatedObject[];
  /** Those of the namespace that have no controller. */
  readonly orphans: readonly SimulatedObject[];
}

export interface Claims {
  readonly claimed: readonly SimulatedObject[];
  /** Adoptions and releases: to be done before anything is decided by the number of what is claimed. */
  readonly steps: readonly Step[];
}

/** A controller has what its selector selects: it adopts orphans that match and lets go of its own that no longer do. */
export function decideClaims({ ownerResource, owner, selector, resource, owned, orphans }: ClaimFacts): Claims {
  const { uid } = owner.metadata;
  const matches = ({ metadata }: SimulatedObject) => matchesLabels(selector, metadata.labels);
  const references = (object: SimulatedObject) =>
    (object.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid);
  const own = (object: SimulatedObject, ownerReferences: unknown): Step => {
    return { do: "patch", resource, object, patch: { metadata: { ownerReferences } } };
  };
  const adopted = isBeingDeleted(owner)
    ? []
    : orphans.filter((object) => matches(object) && !isBeingDeleted(object) && !isPodEnded(object));
  const released = owned.filter((object) => !matches(object) && !isBeingDeleted(object));
  return {
    claimed: owned.filter(matches),
    steps: [
      ...adopted.map((object) => own(object, [...references(object), controlledBy(ownerResource, owner)])),
      ...released.map((object) => own(object, references(object))),
    ],
  };
}
