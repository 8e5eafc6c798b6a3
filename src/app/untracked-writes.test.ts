import { expect, test } from "vitest";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { Works } from "#api/work/work.ts";
import type { Client } from "#client/client.ts";
import { untrackedWrites } from "./untracked-writes.ts";

const works = resourceOf(Works);

async function sent(resource: ResourceId, metadata: object): Promise<unknown> {
  const client = { update: async (_: unknown, object: ApiObject) => object } as unknown as Client; // all that is called
  const object = { apiVersion: "v1", kind: resource.kind, metadata } as unknown as ApiObject; // as read
  return (await untrackedWrites(client).update(resource, object)).metadata.managedFields;
}

test("who owns what of a work is forgotten where nobody but us owns anything", async () => {
  expect(await sent(works, { name: "a" })).toEqual([{}]);
});

test("where others own something it is left as it is", async () => {
  expect(await sent(works, { name: "a", managedFields: [] })).toEqual([]);
});

test("of other kinds nothing is forgotten", async () => {
  expect(await sent(kubernetesResources.Secret, { name: "a" })).toBeUndefined();
});
