import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { WatchEvent } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { JsonObject } from "#base/json.ts";
import { openTestCluster, type TestCluster } from "#test/world/cluster.ts";

const definitions = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  namespaced: false,
};
const boxes = { group: "example.com", version: "v1", resource: "boxes", kind: "Box", namespaced: false };
const text = { type: "string" };
const before = { size: text, lid: text, inner: { type: "object", properties: { a: text } } };
/** `lid` is gone, `colour` is new, and what is inside has a default too. */
const after = {
  size: text,
  colour: { type: "string", default: "brown" },
  inner: { type: "object", properties: { a: text, b: { type: "integer", default: 1 } } },
};
const written = { size: "big", lid: "flat", inner: { a: "x" } };
const served = { size: "big", colour: "brown", inner: { a: "x", b: 1 } };

let world: TestCluster;
beforeEach(async () => {
  world = await openTestCluster();
  await world.client.create(definitions, definition(before));
});
afterEach(() => world[Symbol.asyncDispose]());

describe("after a definition's schema changed, objects are served pruned and completed by the new one", () => {
  test("in get and list", async () => {
    await put("a", written);
    await redefine(after);
    expect((await world.client.get(boxes, { name: "a" }))?.["spec"]).toEqual(served);
    expect((await world.client.list(boxes)).items.map(({ spec }) => spec)).toEqual([served]);
    const byName = await world.client.list(boxes, { fieldSelector: "metadata.name=a" });
    expect(byName.items.map(({ spec }) => spec)).toEqual([served]);
    const byLabel = await world.client.list(boxes, { labelSelector: "!x" });
    expect(byLabel.items.map(({ spec }) => spec)).toEqual([served]);
  });

  test("in every event of a watch that began later", async () => {
    const object = await put("a", written);
    await redefine(after);
    const events = await follow({});
    await world.client.patch(boxes, { name: "a" }, { type: "merge", patch: { metadata: { labels: { x: "y" } } } });
    await world.client.delete(boxes, { name: "a" });
    expect(events.map(summary)).toEqual([
      ["ADDED", served],
      ["MODIFIED", served],
      ["DELETED", served],
    ]);
    const past = await follow({ resourceVersion: String(Number(object.metadata.resourceVersion) - 1) });
    expect(past.map(summary)).toEqual([
      ["ADDED", served],
      ["MODIFIED", served],
      ["DELETED", served],
    ]);
  });

  test("in the events of a watch that was open", async () => {
    await put("a", written);
    const events = await follow({});
    const left = await follow({ labelSelector: "!x" });
    await redefine(after);
    await world.client.patch(boxes, { name: "a" }, { type: "merge", patch: { metadata: { labels: { x: "y" } } } });
    expect(events.map(summary)).toEqual([
      ["ADDED", written],
      ["MODIFIED", served],
    ]);
    expect(left.map(summary), "what a selector leaves").toEqual([
      ["ADDED", written],
      ["DELETED", served],
    ]);
  });

  test("in tables", async () => {
    await put("a", written);
    await redefine(after);
    const { items } = await world.client.list(boxes);
    const type = world.cluster.server.core.registry.get(boxes.group, boxes.version, boxes.resource)!;
    expect(items.map((item) => type.table.cells(item, 0))).toEqual([["a", "brown", null]]);
  });

  test("and an update without a change stores the new shape, which no later schema brings back", async () => {
    const { metadata } = await put("a", written);
    await redefine(after);
    const current = (await world.client.get(boxes, { name: "a" }))!;
    expect(current.metadata.resourceVersion).toBe(metadata.resourceVersion);
    const updated = await world.client.update(boxes, current);
    expect(updated.metadata.resourceVersion).not.toBe(metadata.resourceVersion);
    expect(updated.metadata.generation, "the spec did not change for anybody who reads it").toBe(metadata.generation);
    expect(await world.client.update(boxes, updated), "now it is an idle one").toEqual(updated);
    await redefine(before);
    expect((await world.client.get(boxes, { name: "a" }))?.["spec"]).toEqual({ size: "big", inner: { a: "x" } });
  });

  test("and a definition that changes in other ways makes nothing new", async () => {
    await put("a", written);
    const first = await world.client.list(boxes);
    await world.client.patch(
      definitions,
      { name: "boxes.example.com" },
      {
        type: "merge",
        patch: { metadata: { labels: { a: "b" } } },
      },
    );
    const second = await world.client.list(boxes);
    expect(second.items[0]).toBe(first.items[0]);
  });
});

function put(name: string, spec: JsonObject): Promise<ApiObject> {
  return world.client.create(boxes, { apiVersion: "example.com/v1", kind: "Box", metadata: { name }, spec });
}

async function redefine(properties: JsonObject): Promise<void> {
  const patch = { spec: definition(properties).spec };
  await world.client.patch(definitions, { name: "boxes.example.com" }, { type: "merge", patch });
}

async function follow(options: { readonly resourceVersion?: string; readonly labelSelector?: string }) {
  const events: WatchEvent[] = [];
  const source = await world.client.watch(boxes, options);
  source.start({ event: (event) => events.push(event), end: () => {} });
  return events;
}

function summary(event: WatchEvent): unknown {
  return "object" in event ? [event.type, event.object["spec"]] : event.type;
}

function definition(properties: JsonObject) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "boxes.example.com" },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural: "boxes", kind: "Box" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
          additionalPrinterColumns: [
            { name: "Colour", type: "string", jsonPath: ".spec.colour" },
            { name: "Lid", type: "string", jsonPath: ".spec.lid" },
          ],
        },
      ],
    },
  };
}
