import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { type DependentStep, decideDependent } from "./decide-dependent.ts";
import type { OwnerState } from "./owner-states.ts";

interface Sketch {
  /** The state of each owner; its place is its name. */
  readonly owners: readonly OwnerState[];
  readonly blocking?: boolean;
  readonly deleted?: boolean;
  readonly finalizers?: readonly string[];
  readonly hasDependents?: boolean;
  readonly inCircle?: boolean;
}

const cases: Record<string, { reason: string; given: Sketch; expect: readonly string[]; waits?: boolean }> = {
  "all owners live": { reason: "it belongs to them", given: { owners: ["alive", "alive"] }, expect: [] },
  "the only owner is gone": { reason: "nobody needs it", given: { owners: ["absent"] }, expect: ["delete Background"] },
  "all owners are gone": {
    reason: "nobody needs it",
    given: { owners: ["absent", "absent"] },
    expect: ["delete Background"],
  },
  "one of two owners is gone": {
    reason: "the other still needs it, on the same terms",
    given: { owners: ["absent", "alive"], blocking: true },
    expect: ["keep 1 blocking"],
  },
  "an owner waits for its dependents": {
    reason: "it is what the owner waits for",
    given: { owners: ["waiting"] },
    expect: ["delete Background"],
  },
  "an owner waits, and so do its own dependents": {
    reason: "descendants go first",
    given: { owners: ["waiting"], hasDependents: true },
    expect: ["delete Foreground"],
  },
  "an owner waits while another lives": {
    reason: "it stays with the living and must not hold the other",
    given: { owners: ["waiting", "alive"], hasDependents: true },
    expect: ["keep 1"],
  },
  "an owner waits and another is gone": {
    reason: "nobody is left",
    given: { owners: ["waiting", "absent"] },
    expect: ["delete Background"],
  },
  "owners in a circle, blocking each other": {
    reason: "somebody must stop waiting, or nobody ever goes",
    given: { owners: ["waiting"], blocking: true, hasDependents: true, inCircle: true },
    expect: ["keep 0"],
  },
  "owners in a circle that block nobody": {
    reason: "nobody waits",
    given: { owners: ["waiting"], hasDependents: true, inCircle: true },
    expect: ["delete Foreground"],
  },
  "it is being deleted already": {
    reason: "there is nothing to add",
    given: { owners: ["absent"], deleted: true },
    expect: [],
  },
  "it wants its own dependents orphaned": {
    reason: "a finalizer set in advance is a wish",
    given: { owners: ["absent"], finalizers: ["orphan"] },
    expect: ["delete Orphan"],
  },
  "it wants to wait for its own dependents": {
    reason: "a finalizer set in advance is a wish",
    given: { owners: ["absent"], finalizers: ["foregroundDeletion"] },
    expect: ["delete Foreground"],
  },
  "its owner lives in another namespace": {
    reason: "owners do not reach across namespaces, and users are told",
    given: { owners: ["elsewhere"] },
    expect: ["warn 0", "delete Background"],
  },
  "its owner cannot be looked up": {
    reason: "what cannot be known deletes nothing",
    given: { owners: ["unresolvable"] },
    expect: ["warn 0"],
  },
  "its owner's kind is not served": {
    reason: "what cannot be known deletes nothing",
    given: { owners: ["unknown"] },
    expect: [],
    waits: true,
  },
  "one owner's kind is not served, the other owner is gone": {
    reason: "the unknown one may live",
    given: { owners: ["unknown", "absent"] },
    expect: ["keep 0"],
  },
};

for (const [name, { reason, given, expect: steps, waits = false }] of Object.entries(cases)) {
  test(name, () => {
    const plan = decideDependent(factsOf(given));
    expect(plan.steps.map(line), reason).toEqual(steps);
    expect(plan.waitFor !== undefined, reason).toBe(waits);
  });
}

function factsOf(sketch: Sketch) {
  const { owners, blocking = false, deleted = false, finalizers, hasDependents = false, inCircle = false } = sketch;
  const references = owners.map((_, index) => ({
    apiVersion: "v1",
    kind: "Owner",
    name: String(index),
    uid: String(index),
    blockOwnerDeletion: blocking,
  }));
  const object: ApiObject = {
    apiVersion: "v1",
    kind: "Thing",
    metadata: {
      name: "thing",
      uid: "thing",
      resourceVersion: "1",
      creationTimestamp: "2030-01-01T00:00:00Z",
      ownerReferences: references,
      ...(deleted ? { deletionTimestamp: "2030-01-01T00:00:00Z" } : {}),
      ...(finalizers === undefined ? {} : { finalizers }),
    },
  };
  const facts = owners.map((state, index) => ({ state, reference: references[index]! }));
  return { object, owners: facts, hasDependents, inCircle };
}

function line(step: DependentStep): string {
  switch (step.do) {
    case "warn":
      return `warn ${step.reference.name}`;
    case "delete":
      return `delete ${step.policy}`;
    case "keepOwners":
      return `keep ${step.owners.map(({ name, blockOwnerDeletion }) => `${name}${blockOwnerDeletion ? " blocking" : ""}`).join(" ")}`;
  }
}
