import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { seedObject } from "#test/world/seeded-object.ts";
import { deployment, policy, to } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

interface Rewrite {
  readonly path: string;
  readonly operator: "add" | "replace" | "remove";
  readonly value?: unknown;
}

const written = (path: string, value: unknown): readonly Rewrite[] =>
  (["add", "replace"] as const).map((operator) => ({ path, operator, value }));
const touched = (path: string, value: unknown): readonly Rewrite[] => [
  ...written(path, value),
  { path, operator: "remove" },
];
const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" };

/** Ways to make of a copy something else than the copy of its template. */
const rewrites: readonly Rewrite[] = [
  ...touched("/apiVersion", "v1"),
  ...touched("/kind", "Secret"),
  ...touched("/metadata/name", "other"),
  ...touched("/metadata/namespace", "kube-system"),
  ...touched("/metadata/uid", "u"),
  ...touched("/metadata/ownerReferences", [owner]),
  ...written("/metadata/ownerReferences/-", owner),
  ...written("/metadata/ownerReferences/0", owner),
  ...touched("/metadata/finalizers", ["a/b"]),
  ...written("/metadata/finalizers/-", "a/b"),
  ...touched("/metadata", { name: "other", namespace: "kube-system" }),
  ...touched("", { apiVersion: "v1", kind: "Secret", metadata: { name: "other" } }),
  ...touched("/metadata/labels/karmada.io~1managed", "false"),
  ...touched("/metadata/labels/work.karmada.io~1permanent-id", "x"),
  ...touched("/metadata/annotations/work.karmada.io~1name", "x"),
  ...touched("/metadata/annotations/work.karmada.io~1namespace", "x"),
];

const spec = (rewrite: Rewrite, name: string) => ({
  resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", name }],
  overrideRules: [{ overriders: { plaintext: [rewrite] } }],
});
const override = (rewrite: Rewrite, name: string) => ({
  apiVersion: "policy.karmada.io/v1alpha1",
  kind: "OverridePolicy",
  metadata: { name: `of-${name}`, namespace: "shop" },
  spec: spec(rewrite, name),
});
const clusterOverride = (rewrite: Rewrite, name: string) => ({
  ...override(rewrite, name),
  kind: "ClusterOverridePolicy",
  metadata: { name: `of-${name}` },
});
const start = () => World.start({ members: ["m1"], launch: (needs) => RoughFleet.launch(needs) });

test(`SEC-04: ${rewrites.length} rewrites of identity are refused when they are written, by either kind of policy`, async () => {
  await using world = await start();
  const accepted: string[] = [];
  for (const rewrite of rewrites)
    for (const each of [override(rewrite, "web"), clusterOverride(rewrite, "web")])
      await world.apply(JSON.stringify(each)).then(
        () => accepted.push(`${each.kind} ${JSON.stringify(rewrite)}`),
        (error: unknown) => expect(error).toMatchObject({ code: 422 }),
      );
  expect(accepted).toEqual([]);
  expect([...world.list("overridepolicies"), ...world.list("clusteroverridepolicies")]).toEqual([]);
});

test("SEC-04: those that are there already make no work", async () => {
  await using world = await start();
  await world.apply(policy("all", to("m1")));
  const names = rewrites.map((_, index) => `web-${index}`);
  for (const [index, rewrite] of rewrites.entries())
    await seedObject(world.fleet.controlPlane, "overridepolicies", override(rewrite, names[index]!));
  for (const name of [...names, "honest"]) await world.apply(deployment(name, 1));
  await world.settle();
  const manifests: readonly Fields[] = world
    .list("works")
    .flatMap((work) => work["spec"].workload.manifests as readonly Fields[])
    .filter(({ kind }) => kind !== "Namespace");
  const sent = manifests.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.namespace, metadata.name]);
  for (const each of sent) expect(each.slice(0, 3)).toEqual(["apps/v1", "Deployment", "shop"]);
  const harmless = sent.map(([, , , name]) => name as string).toSorted();
  expect(harmless).toContain("honest");
  for (const name of harmless.filter((each) => each !== "honest")) {
    const copy = world.member("m1").get(`deployments/shop/${name}`)?.["metadata"];
    expect([copy?.name, copy?.labels["karmada.io/managed"], copy?.ownerReferences, copy?.finalizers]).toEqual([
      name,
      "true",
      undefined,
      undefined,
    ]);
  }
  const everything = ["secrets", "deployments"].flatMap((plural) => world.member("m1").list(plural));
  expect(everything.map(({ metadata }) => metadata.name)).not.toContain("other");
});
