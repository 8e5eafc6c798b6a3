import { expect, test } from "vitest";
import { explanations, plans } from "#api/plan/plan-resources.ts";
import { deployment, policy } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

const reader = { name: "reader", groups: ["system:authenticated"] };
const readable = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: plan-reader }
rules:
  - { apiGroups: [policy.karmada.io, work.karmada.io, cluster.karmada.io], resources: ["*"], verbs: [get, list, watch] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: plan-reader }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: plan-reader }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: reader }]
`;

test("whoever may read may ask, nobody else, and nothing is written", async () => {
  await using world = await World.start({ members: ["m1"] });
  await world.apply(policy("p"));
  await world.apply(deployment("web"));
  await world.settle();
  const { server } = world.fleet.controlPlane;
  const ask = ({ group, version, resource }: typeof plans | typeof explanations, spec: object) =>
    server.call({ verb: "create", path: { group, version, resource }, user: reader, options: {}, body: { spec } });
  const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "new", namespace: "shop" } };
  const questions = [
    () => ask(plans, { edits: [{ do: "apply", manifest }] }),
    () => ask(explanations, { kind: "deployment", namespace: "shop", name: "web" }),
  ];
  for (const question of questions) await expect(question()).rejects.toMatchObject({ code: 403 });
  await world.apply(readable);
  const before = world.revision;
  for (const question of questions) expect(await question()).toMatchObject({ kind: "document", code: 201 });
  await expect(ask(plans, { edits: [{ do: "burn" }] })).rejects.toMatchObject({ code: 400 });
  expect(world.revision).toBe(before);
});
