import { expect, test } from "vitest";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { seedObject } from "#test/world/seeded-object.ts";
import { World } from "#test/world/world.ts";

const start = () => World.start({ members: ["m1"], launch: (needs) => RoughFleet.launch(needs) });
const secret = `
apiVersion: v1
kind: Secret
metadata: { name: theirs, namespace: b }
stringData: { password: secret }
`;
const spec = {
  resource: { apiVersion: "v1", kind: "Secret", namespace: "b", name: "theirs" },
  clusters: [{ name: "m1" }],
};
const apiVersion = "work.karmada.io/v1alpha2";

test("a binding that names an object of another namespace is refused, and so is an edit that makes it one", async () => {
  await using world = await start();
  const binding = (resource: object) =>
    JSON.stringify({
      apiVersion,
      kind: "ResourceBinding",
      metadata: { name: "theirs-secret", namespace: "a" },
      spec: { ...spec, resource },
    });
  const refusal = { code: 422, message: expect.stringContaining("spec.resource.namespace") };
  await expect(world.apply(binding(spec.resource))).rejects.toMatchObject(refusal);
  await world.apply(binding({ ...spec.resource, namespace: "a" }));
  const patch = { spec: { resource: { namespace: "b" } } };
  await expect(world.patch("resourcebindings/a/theirs-secret", patch)).rejects.toMatchObject(refusal);
});

test.each([
  ["ResourceBinding", "resourcebindings", { namespace: "a" }],
  ["ClusterResourceBinding", "clusterresourcebindings", {}],
])("a %s of an object of another namespace that is there already sends nothing", async (kind, plural, where) => {
  await using world = await start();
  await world.apply(`${secret}---\napiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n`);
  const labels = { [`${kind.toLowerCase()}.karmada.io/permanent-id`]: "b0000000-0000-4000-8000-000000000000" };
  const metadata = { name: "theirs-secret", ...where, labels };
  await seedObject(world.fleet.controlPlane, plural, { apiVersion, kind, metadata, spec });
  await world.settle();
  expect(world.list(plural)).toHaveLength(1);
  expect(world.member("m1").get("secrets/b/theirs")).toBeUndefined();
  const carried = world.list("works").filter((work) => JSON.stringify(work["spec"]).includes("theirs"));
  expect(carried).toEqual([]);
});
