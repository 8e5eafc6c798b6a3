import { expect, test } from "vitest";
import type { ObjectList } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ObjectKey, ResourceId } from "#api/meta/resource-id.ts";
import { ForeignObjects } from "./foreign-objects.ts";

const resource = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", namespaced: true };

/** A member that has the config maps of these names in its namespace `n`, and counts what it is asked. */
function memberWith(names: readonly string[], { mayList = true }: { readonly mayList?: boolean } = {}) {
  const asked = { get: 0, list: 0 };
  const objectOf = (name: string): ApiObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "n", uid: name, resourceVersion: "1", creationTimestamp: "" },
  });
  const client = {
    async get(_: ResourceId, { name }: ObjectKey) {
      asked.get++;
      return names.includes(name) ? objectOf(name) : undefined;
    },
    async list(): Promise<ObjectList> {
      asked.list++;
      if (!mayList) throw new Error("forbidden");
      return { items: names.map(objectOf), resourceVersion: "1" };
    },
  };
  return { asked, foreign: new ForeignObjects(client) };
}

async function askFor(foreign: ForeignObjects, count: number, namespace = "n"): Promise<readonly string[]> {
  const found: string[] = [];
  for (let index = 0; index < count; index++) {
    const object = await foreign.get(resource, { namespace, name: `c${index}` });
    if (object !== undefined) found.push(object.metadata.name);
  }
  return found;
}

test("of many objects a member is asked at once, and only those that are there are read", async () => {
  const { asked, foreign } = memberWith(["c1", "c50"]);
  expect(await askFor(foreign, 100)).toEqual(["c1", "c50"]);
  expect(asked).toEqual({ get: 9, list: 1 });
});

test("of many objects in many namespaces a member is asked once for each namespace, and once for one object there", async () => {
  const { asked, foreign } = memberWith([]);
  for (let index = 0; index < 10; index++) await askFor(foreign, 20, `n${index}`);
  expect(asked).toEqual({ get: 8 + 9, list: 10 });
});

test("the same is not asked twice", async () => {
  const { asked, foreign } = memberWith(["c1"]);
  await askFor(foreign, 5);
  await askFor(foreign, 5);
  expect(asked).toEqual({ get: 5, list: 0 });
});

test("who may not list reads one by one", async () => {
  const { asked, foreign } = memberWith(["c1", "c15"], { mayList: false });
  expect(await askFor(foreign, 20)).toEqual(["c1", "c15"]);
  expect(asked).toEqual({ get: 20, list: 1 });
});
