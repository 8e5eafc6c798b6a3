import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { configMaps, secrets } from "#housekeeping/resource-ids.ts";
import { decideNamespace, type Namespace, type NamespaceFacts, type NamespaceStep } from "./decide-namespace.ts";
import { type Content, namespaceConditions } from "./namespace-conditions.ts";

const nowMs = Date.UTC(2030, 0, 1, 12);

interface Sketch {
  readonly active?: boolean;
  readonly finalizers?: readonly string[];
  readonly dueInMs?: number;
  /** `name`, `name!` when it was asked to go, `name!holder` when a finalizer holds it. */
  readonly configMaps?: readonly string[];
  readonly secrets?: readonly string[];
  readonly failures?: Readonly<Record<string, string>>;
  /** Conditions of this very situation were written before. */
  readonly told?: boolean;
}

const cases: Record<string, { reason: string; given: Sketch; expect: readonly string[]; waits?: string | number }> = {
  "an active namespace": { reason: "nobody asked for its end", given: { active: true, configMaps: ["a"] }, expect: [] },
  "a namespace whose finalizer was removed": {
    reason: "others may hold it still; we are done",
    given: { finalizers: ["example.com/other"], configMaps: ["a"] },
    expect: [],
  },
  "a namespace that was asked to go just now": {
    reason: "writes under way come to an end first",
    given: { dueInMs: 3_000 },
    expect: [],
    waits: 3_000,
  },
  "an empty namespace": { reason: "nothing keeps it", given: {}, expect: ["finalize"] },
  "content that was not asked to go": {
    reason: "everything goes, and its events bring the namespace again",
    given: { configMaps: ["a", "b"], secrets: ["s"] },
    expect: ["delete configmaps/a configmaps/b secrets/s"],
  },
  "some content was asked already": {
    reason: "nobody is asked twice",
    given: { configMaps: ["a!", "b"] },
    expect: ["delete configmaps/b"],
  },
  "content that finalizers hold": {
    reason: "users see what it waits for",
    given: { configMaps: ["a!example.com/x"] },
    expect: ["conditions NamespaceContentRemaining NamespaceFinalizersRemaining"],
    waits: "content remains",
  },
  "the same a second time": {
    reason: "what was said is not said again",
    given: { configMaps: ["a!example.com/x"], told: true },
    expect: [],
    waits: "content remains",
  },
  "content that goes in its own time, without finalizers": {
    reason: "pods wind down",
    given: { configMaps: ["a!"] },
    expect: ["conditions NamespaceContentRemaining"],
    waits: "content remains",
  },
  "a deletion that was refused": {
    reason: "users see why, and it is tried again",
    given: { configMaps: ["a"], failures: { a: "denied" } },
    expect: ["conditions NamespaceDeletionContentFailure NamespaceContentRemaining", "delete configmaps/a"],
    waits: "content remains",
  },
  "a refused deletion beside content that nobody asked yet": {
    reason: "first everything is tried",
    given: { configMaps: ["a", "b"], failures: { a: "denied" } },
    expect: ["delete configmaps/a configmaps/b"],
  },
};

for (const [name, { reason, given, expect: steps, waits }] of Object.entries(cases)) {
  test(name, () => {
    const plan = decideNamespace(factsOf(given));
    expect(plan.steps.map(line), reason).toEqual(steps);
    expect(typeof waits === "number" ? plan.waitFor?.retryAfterMs : plan.waitFor?.reason, reason).toBe(waits);
  });
}

test("a condition keeps its time while its status stays, and other people's conditions stay", () => {
  const content = contentOf({ configMaps: ["a!"] });
  const first = namespaceConditions([], { content, failures: [], nowMs });
  const mine = { type: "Mine", status: "True" as const, reason: "R", message: "M" };
  const later = namespaceConditions([mine, ...first], { content, failures: ["no", "nay"], nowMs: nowMs + 60_000 });
  expect(later[0]).toBe(mine);
  expect(later.slice(1).map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
    ["NamespaceDeletionDiscoveryFailure", "2030-01-01T12:00:00Z"],
    ["NamespaceDeletionGroupVersionParsingFailure", "2030-01-01T12:00:00Z"],
    ["NamespaceDeletionContentFailure", "2030-01-01T12:01:00Z"],
    ["NamespaceContentRemaining", "2030-01-01T12:00:00Z"],
    ["NamespaceFinalizersRemaining", "2030-01-01T12:00:00Z"],
  ]);
  expect(later.find(({ type }) => type === "NamespaceDeletionContentFailure")?.message).toBe(
    "Failed to delete all resource types, 2 remaining: nay, no",
  );
});

test("what remains is counted by resource and by finalizer, in order", () => {
  const content = contentOf({ secrets: ["s!b/x", "t!a/x"], configMaps: ["c!b/x"] });
  const messages = namespaceConditions([], { content, failures: [], nowMs }).map(({ message }) => message);
  expect(messages.slice(3)).toEqual([
    "Some resources are remaining: configmaps. has 1 resource instances, secrets. has 2 resource instances",
    "Some content in the namespace has finalizers remaining: a/x in 1 resource instances, b/x in 2 resource instances",
  ]);
});

function factsOf(sketch: Sketch): NamespaceFacts {
  const { active = false, finalizers = ["kubernetes"], dueInMs = 0, failures = {}, told = false } = sketch;
  const content = contentOf(sketch);
  const metadata = metadataOf("shop");
  const namespace: Namespace = {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: active ? metadata : { ...metadata, deletionTimestamp: "2030-01-01T12:00:00Z" },
    spec: { finalizers },
    status: told ? { conditions: namespaceConditions([], { content, failures: [], nowMs: nowMs - 60_000 }) } : {},
  };
  return { namespace, nowMs, dueMs: nowMs + dueInMs, content, failures: new Map(Object.entries(failures)) };
}

function contentOf(sketch: Pick<Sketch, "configMaps" | "secrets">): readonly Content[] {
  return [
    { resource: configMaps, objects: (sketch.configMaps ?? []).map(objectOf) },
    { resource: secrets, objects: (sketch.secrets ?? []).map(objectOf) },
  ].filter(({ objects }) => objects.length > 0);
}

function objectOf(text: string): ApiObject {
  const [name = "", holder] = text.split("!");
  const metadata = metadataOf(name);
  if (holder === undefined) return { apiVersion: "v1", kind: "Thing", metadata };
  const marked = { ...metadata, deletionTimestamp: "2030-01-01T12:00:00Z" };
  return {
    apiVersion: "v1",
    kind: "Thing",
    metadata: holder === "" ? marked : { ...marked, finalizers: [holder] },
  };
}

function metadataOf(name: string): ApiObject["metadata"] {
  return { name, uid: name, resourceVersion: "1", creationTimestamp: "2030-01-01T00:00:00Z" };
}

function line(step: NamespaceStep): string {
  switch (step.do) {
    case "finalize":
      return "finalize";
    case "delete": {
      const each = step.content.flatMap(({ resource, objects }) =>
        objects.map(({ metadata }) => `${resource.resource}/${metadata.name}`),
      );
      return `delete ${each.join(" ")}`;
    }
    case "writeConditions":
      return `conditions ${step.conditions
        .filter(({ status }) => status === "True")
        .map(({ type }) => type)
        .join(" ")}`;
  }
}
