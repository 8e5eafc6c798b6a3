import { expect, test } from "vitest";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { World } from "#test/world/world.ts";

test("a binding that names an object of another namespace sends nothing", async () => {
  await using world = await World.start({ members: ["m1"], launch: (needs) => RoughFleet.launch(needs) });
  await world.apply(`
apiVersion: v1
kind: Secret
metadata: { name: theirs, namespace: b }
stringData: { password: secret }
---
apiVersion: work.karmada.io/v1alpha2
kind: ResourceBinding
metadata: { name: theirs-secret, namespace: a }
spec:
  resource: { apiVersion: v1, kind: Secret, namespace: b, name: theirs }
  clusters: [{ name: m1 }]
`);
  await world.settle();
  expect(world.member("m1").get("secrets/b/theirs")).toBeUndefined();
  const carried = world.list("works").filter(({ spec }) => JSON.stringify(spec).includes("theirs"));
  expect(carried).toEqual([]);
});
