import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { http } from "#test/world/http.ts";

let world: TestFleet;
beforeAll(async () => {
  world = await startTestFleet({ members: ["paris"] });
});
afterAll(() => world[Symbol.asyncDispose]());

test("a member tells what its controllers did to a Deployment, as a real cluster does", async () => {
  const member = world.fleet.members[0]!;
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } };
  const spec = { replicas: 2, selector: { matchLabels: labels }, template };
  const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec };
  const path = "/apis/apps/v1/namespaces/default/deployments";
  await http(member, path, { method: "POST", body: JSON.stringify(deployment) });
  const events = async () => {
    const { json } = await http(member, "/api/v1/namespaces/default/events");
    return json.items.map(
      ({ involvedObject, reason, source, message }: Fields) =>
        `${involvedObject.kind} ${reason} ${source.component}: ${message.replaceAll(/web-[a-z0-9-]+/g, "NAME")}`,
    );
  };
  await vi.waitFor(async () => expect(await events()).toHaveLength(3), { timeout: 20_000, interval: 100 });
  expect((await events()).toSorted()).toEqual([
    "Deployment ScalingReplicaSet deployment-controller: Scaled up replica set NAME from 0 to 2",
    "ReplicaSet SuccessfulCreate replicaset-controller: Created pod: NAME",
    "ReplicaSet SuccessfulCreate replicaset-controller: Created pod: NAME",
  ]);
  const scale = {
    method: "PATCH",
    body: '{"spec":{"replicas":1}}',
    headers: { "content-type": "application/merge-patch+json" },
  };
  await http(member, `${path}/web`, scale);
  await vi.waitFor(
    async () =>
      expect(await events()).toContain("ReplicaSet SuccessfulDelete replicaset-controller: Deleted pod: NAME"),
    { timeout: 20_000, interval: 100 },
  );
});
