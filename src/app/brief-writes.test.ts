import { expect, test } from "vitest";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { ResourceBindings } from "#api/work/resource-binding.ts";
import { Works } from "#api/work/work.ts";
import type { Client } from "#client/client.ts";
import { briefWrites } from "./brief-writes.ts";

const object = {
  apiVersion: "v1",
  kind: "Thing",
  metadata: { name: "a", resourceVersion: "1" },
  spec: { size: [1] },
  status: { ready: [true] },
} as unknown as ApiObject; // as far as it is looked at

/** A server that has the object already, and takes of a write what is its subject. */
function recording() {
  const sent: Record<string, object> = {};
  const answer = (name: string) => async (_: unknown, body: object) => {
    sent[name] = body;
    return { ...structuredClone(object), ...structuredClone(body), metadata: { name: "a", resourceVersion: "2" } };
  };
  const client = { update: answer("update"), updateStatus: answer("status") } as unknown as Client; // all that is called
  return { sent, client: briefWrites(client) };
}

for (const kind of [Works, ResourceBindings.namespaced, ResourceBindings.cluster])
  test(`${kind.kind}: what the server does not take over is not sent, and comes back as the very same`, async () => {
    const { sent, client } = recording();
    const { spec: _, ...withoutSpec } = object;
    const { status: __, ...withoutStatus } = object;
    const answers = [
      await client.update(resourceOf(kind), object),
      await client.updateStatus(resourceOf(kind), object),
    ] as const;
    expect(sent).toEqual({ update: withoutStatus, status: withoutSpec });
    for (const answer of answers) {
      expect(answer).toEqual({ ...object, metadata: { name: "a", resourceVersion: "2" } });
      expect(answer["spec"]).toBe(object["spec"]);
      expect(answer["status"]).toBe(object["status"]);
    }
  });

test("objects of users are sent as they are", async () => {
  const { sent, client } = recording();
  await client.updateStatus(
    { group: "apps", version: "v1", resource: "deployments", kind: "Deployment", namespaced: true },
    object,
  );
  expect(sent["status"]).toBe(object);
});
