import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { configMaps } from "#housekeeping/resource-ids.ts";
import { decideOwner, type OwnerStep } from "./decide-owner.ts";
import type { GraphNode } from "./ownership-graph.ts";

const cases: Record<
  string,
  {
    reason: string;
    deleted?: boolean;
    finalizers: readonly string[];
    dependents: readonly ("blocking" | "free")[];
    expect: readonly string[];
    waits?: string;
  }
> = {
  "nobody deletes it": {
    reason: "a finalizer alone asks for nothing",
    deleted: false,
    finalizers: ["foregroundDeletion"],
    dependents: ["blocking"],
    expect: [],
  },
  "it is deleted, but waits for nobody": {
    reason: "not ours",
    finalizers: ["example.com/x"],
    dependents: [],
    expect: [],
  },
  "foreground, with dependents that block": {
    reason: "they go first",
    finalizers: ["foregroundDeletion"],
    dependents: ["blocking", "free", "blocking"],
    expect: [],
    waits: "2 dependents block its deletion",
  },
  "foreground, with dependents that do not block": {
    reason: "they go in their own time",
    finalizers: ["foregroundDeletion"],
    dependents: ["free"],
    expect: ["release foregroundDeletion"],
  },
  "foreground, without dependents": {
    reason: "the wait is over",
    finalizers: ["foregroundDeletion"],
    dependents: [],
    expect: ["release foregroundDeletion"],
  },
  "orphan, with dependents": {
    reason: "they are set free before their owner goes",
    finalizers: ["example.com/x", "orphan"],
    dependents: ["blocking", "free"],
    expect: ["orphan 2", "release orphan"],
  },
  "orphan, without dependents": {
    reason: "nothing to do",
    finalizers: ["orphan"],
    dependents: [],
    expect: ["release orphan"],
  },
};

for (const [name, { reason, deleted = true, finalizers, dependents, expect: steps, waits }] of Object.entries(cases)) {
  test(name, () => {
    const plan = decideOwner({ object: owner({ deleted, finalizers }), dependents: dependents.map(dependent) });
    expect(plan.steps.map(line), reason).toEqual(steps);
    expect(plan.waitFor?.reason, reason).toBe(waits);
  });
}

function owner({ deleted, finalizers }: { deleted: boolean; finalizers: readonly string[] }): ApiObject {
  const metadata = { name: "owner", uid: "owner", resourceVersion: "1", creationTimestamp: "2030-01-01T00:00:00Z" };
  const mark = deleted ? { deletionTimestamp: "2030-01-01T00:00:00Z" } : {};
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { ...metadata, ...mark, finalizers } };
}

function dependent(kind: "blocking" | "free", index: number): GraphNode {
  const owners = [
    { uid: "somebody-else", blocking: true },
    { uid: "owner", blocking: kind === "blocking" },
  ];
  return { uid: `d${index}`, resource: configMaps, namespace: "default", name: `d${index}`, owners, deletion: "none" };
}

function line(step: OwnerStep): string {
  return step.do === "orphan" ? `orphan ${step.dependents.length}` : `release ${step.finalizer}`;
}
