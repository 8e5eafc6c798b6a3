import { afterEach, describe, expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { deployment, policy } from "#test/world/shop-manifests.ts";
import { World, type WorldOptions } from "#test/world/world.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = undefined;
});

async function start(options: WorldOptions = {}): Promise<World> {
  world = await World.start(options);
  return world;
}

const to = (...clusters: readonly string[]) => `{ clusterAffinity: { clusterNames: [${clusters.join(", ")}] } }`;
const divided = "{ replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted } }";
const web = "deployments/shop/web";
const replicasIn = (fleet: World) =>
  Object.fromEntries(["m1", "m2", "m3"].map((name) => [name, fleet.member(name).get(web)?.["spec"].replicas]));
const condition = (object: Fields | undefined, type: string) =>
  object?.["status"]?.conditions?.find((each: Fields) => each["type"] === type);

describe("a template and a policy", () => {
  for (const order of ["policy first", "template first"] as const) {
    test(`${order}: every cluster gets a copy, and the template shows what runs`, async () => {
      const fleet = await start();
      const manifests = [policy("all"), deployment("web")];
      for (const manifest of order === "policy first" ? manifests : manifests.toReversed()) await fleet.apply(manifest);
      await fleet.settle();
      expect(replicasIn(fleet)).toEqual({ m1: 3, m2: 3, m3: 3 });
      const binding = fleet.get("resourcebindings/shop/web-deployment");
      expect(binding?.["spec"].clusters).toEqual([
        { name: "m1", replicas: 3 },
        { name: "m2", replicas: 3 },
        { name: "m3", replicas: 3 },
      ]);
      expect([condition(binding, "Scheduled")?.["status"], condition(binding, "FullyApplied")?.["status"]]).toEqual([
        "True",
        "True",
      ]);
      expect(fleet.get(web)?.["status"]).toMatchObject({ readyReplicas: 9, availableReplicas: 9 });
      expect(fleet.list("works").filter(({ metadata }) => metadata.name.startsWith("web-"))).toHaveLength(3);
    });
  }

  test("many that move at once leave nothing behind, and all are told of", async () => {
    const fleet = await start();
    const names = Array.from({ length: 60 }, (_, index) => `web-${index}`);
    await fleet.apply(policy("all"));
    await Promise.all(names.map((name) => fleet.apply(deployment(name))));
    await fleet.settle();
    await fleet.apply(policy("all", to("m1")));
    await fleet.settle();
    await fleet.timePasses(5);
    await fleet.settle();
    const left = (name: string) => fleet.member(name).list("deployments").length;
    expect(["m1", "m2", "m3"].map(left)).toEqual([60, 0, 0]);
    expect(fleet.list("works").filter(({ metadata }) => metadata.name.startsWith("web-"))).toHaveLength(60);
    const ready = names.map((name) => fleet.get(`deployments/shop/${name}`)?.["status"].readyReplicas);
    expect(new Set(ready)).toEqual(new Set([3]));
  });

  test("no policy, no copy: the template waits, and nothing is written", async () => {
    const fleet = await start();
    await fleet.apply(deployment("web"));
    await fleet.settle();
    const before = fleet.revision;
    await fleet.timePasses(600);
    expect([fleet.revision, fleet.list("resourcebindings")]).toEqual([before, []]);
  });

  test("replicas are divided, and divided anew when they change", async () => {
    const fleet = await start();
    await fleet.apply(policy("split", divided));
    await fleet.apply(deployment("web", 6));
    await fleet.settle();
    expect(replicasIn(fleet)).toEqual({ m1: 2, m2: 2, m3: 2 });
    await fleet.patch(web, { spec: { replicas: 9 } });
    await fleet.settle();
    expect(replicasIn(fleet)).toEqual({ m1: 3, m2: 3, m3: 3 });
  });

  test("an edit of the template reaches the members", async () => {
    const fleet = await start();
    await fleet.apply(policy("all", to("m1", "m2")));
    await fleet.apply(deployment("web"));
    await fleet.settle();
    await fleet.apply(deployment("web", 3, "nginx:2"));
    await fleet.settle();
    for (const name of ["m1", "m2"])
      expect(fleet.member(name).get(web)?.["spec"].template.spec.containers[0].image).toBe("nginx:2");
    expect(fleet.member("m3").get(web)).toBeUndefined();
  });

  test("what a template or an override says no longer goes from the members, too", async () => {
    const fleet = await start({ members: ["m1"] });
    const config = (data: string) =>
      `{ apiVersion: v1, kind: ConfigMap, metadata: { name: settings, namespace: shop }, data: ${data} }`;
    await fleet.apply(policy("configs", to("m1")).replace("apps/v1, kind: Deployment", "v1, kind: ConfigMap"));
    await fleet.apply(config("{ colour: blue, size: large }"));
    await fleet.apply(policy("all", to("m1")));
    await fleet.apply(deployment("web"));
    await fleet.apply(`
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: { name: disks, namespace: shop }
spec:
  overrideRules:
  - overriders: { plaintext: [{ path: /spec/template/spec/nodeSelector, operator: add, value: { disk: ssd } }] }
`);
    await fleet.settle();
    const selector = () => fleet.member("m1").get(web)?.["spec"].template.spec.nodeSelector;
    expect(selector()).toEqual({ disk: "ssd" });
    await fleet.apply(config("{ colour: blue }"));
    await fleet.delete("overridepolicies/shop/disks");
    await fleet.settle();
    expect(fleet.member("m1").get("configmaps/shop/settings")?.["data"]).toEqual({ colour: "blue" });
    expect(selector()).toBeUndefined();
  });

  test("an edit of the placement moves it: the new cluster gets it, the old one loses it", async () => {
    const fleet = await start();
    await fleet.apply(policy("some", to("m1")));
    await fleet.apply(deployment("web"));
    await fleet.settle();
    await fleet.apply(policy("some", to("m2")));
    await fleet.settle();
    expect(replicasIn(fleet)).toEqual({ m1: undefined, m2: 3, m3: undefined });
  });

  test("deleting the template deletes every copy and leaves nothing behind", async () => {
    const fleet = await start();
    await fleet.apply(policy("all"));
    await fleet.apply(deployment("web"));
    await fleet.settle();
    await fleet.delete(web);
    await fleet.settle();
    expect(replicasIn(fleet)).toEqual({ m1: undefined, m2: undefined, m3: undefined });
    expect([
      fleet.list("resourcebindings"),
      fleet.list("works").filter(({ metadata }) => metadata.name.startsWith("web-")),
    ]).toEqual([[], []]);
  });

  test("deleting the policy leaves the copies running and the template unclaimed", async () => {
    const fleet = await start();
    await fleet.apply(policy("all"));
    await fleet.apply(deployment("web"));
    await fleet.settle();
    await fleet.delete("propagationpolicies/shop/all");
    await fleet.settle();
    expect(fleet.get("propagationpolicies/shop/all")).toBeUndefined();
    expect(replicasIn(fleet)).toEqual({ m1: 3, m2: 3, m3: 3 });
    expect(Object.keys(fleet.get(web)?.["metadata"].labels)).toEqual(["app"]);
  });
});

describe("what happens in a member", () => {
  test("drift is repaired, a deleted copy comes back", async () => {
    const fleet = await start();
    await fleet.apply(policy("all", to("m1")));
    await fleet.apply(deployment("web"));
    await fleet.settle();
    await fleet.member("m1").patch(web, { spec: { replicas: 1, paused: true } });
    await fleet.settle();
    expect(fleet.member("m1").get(web)?.["spec"]).toMatchObject({ replicas: 3 });
    expect(fleet.member("m1").get(web)?.["spec"].paused).toBeUndefined();
    await fleet.member("m1").delete(web);
    await fleet.settle();
    expect(replicasIn(fleet)["m1"]).toBe(3);
  });

  test("an object that was there before is left alone, and reported", async () => {
    const fleet = await start();
    const before = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: "default" },
      spec: {
        replicas: 1,
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "old" }] } },
      },
    };
    await fleet.member("m1").create(before);
    await fleet.apply(policy("all", to("m1")).replace("namespace: shop", "namespace: default"));
    await fleet.apply(deployment("web").replace("namespace: shop", "namespace: default"));
    await fleet.settle();
    expect(fleet.member("m1").get("deployments/default/web")?.["spec"].template.spec.containers[0].image).toBe("old");
    const binding = fleet.get("resourcebindings/default/web-deployment");
    expect(condition(binding, "FullyApplied")?.["status"]).toBe("False");
    expect(JSON.stringify(binding?.["status"].aggregatedStatus)).toContain("Karmada will not manage this resource");
  });

  test("preserved copies stay when the template goes, without our marks", async () => {
    const fleet = await start();
    await fleet.apply(policy("all", to("m1"), { spec: "preserveResourcesOnDeletion: true" }));
    await fleet.apply(deployment("web"));
    await fleet.settle();
    await fleet.delete(web);
    await fleet.settle();
    const left = fleet.member("m1").get(web);
    expect(left?.["spec"].replicas).toBe(3);
    expect(
      Object.keys({ ...left?.["metadata"].labels, ...left?.["metadata"].annotations }).filter((key) =>
        key.includes("karmada.io"),
      ),
    ).toEqual([]);
  });

  test("overrides change what one cluster gets, and an edit of them arrives", async () => {
    const fleet = await start();
    const override = (registry: string) => `
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: { name: registry, namespace: shop }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: web }]
  overrideRules:
    - targetCluster: { clusterNames: [m2] }
      overriders: { imageOverrider: [{ component: Registry, operator: add, value: ${registry} }] }
`;
    await fleet.apply(override("first.example.com"));
    await fleet.apply(policy("all", to("m1", "m2")));
    await fleet.apply(deployment("web"));
    await fleet.settle();
    const image = (name: string) => fleet.member(name).get(web)?.["spec"].template.spec.containers[0].image;
    expect([image("m1"), image("m2")]).toEqual(["nginx:1", "first.example.com/nginx:1"]);
    await fleet.apply(override("second.example.com"));
    await fleet.settle();
    expect([image("m1"), image("m2")]).toEqual(["nginx:1", "second.example.com/nginx:1"]);
  });
});

describe("clusters", () => {
  test("namespaces follow to members, also to one that is told to skip none", async () => {
    const fleet = await start();
    await fleet.apply(
      'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop, labels: { team: a } }\n---\napiVersion: v1\nkind: Namespace\nmetadata: { name: private, labels: { namespace.karmada.io/skip-auto-propagation: "true" } }\n',
    );
    await fleet.settle();
    expect(fleet.member("m1").get("namespaces/shop")?.["metadata"].labels.team).toBe("a");
    expect(fleet.member("m1").get("namespaces/private")).toBeUndefined();
  });

  test("a namespace that a member had before serves as it is, and survives unjoin with all that is in it", async () => {
    const fleet = await start();
    await fleet
      .member("m1")
      .create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "legacy", labels: { owner: "member" } } });
    await fleet
      .member("m1")
      .create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "precious", namespace: "legacy" } });
    await fleet.apply("apiVersion: v1\nkind: Namespace\nmetadata: { name: legacy }\n");
    await fleet.settle();
    expect(fleet.member("m1").get("namespaces/legacy")?.["metadata"].labels).toEqual({
      owner: "member",
      "kubernetes.io/metadata.name": "legacy",
    });
    const work = fleet
      .list("works")
      .find(({ metadata }) => metadata.namespace === "karmada-es-m1" && metadata.name.startsWith("legacy-"));
    expect(condition(work, "Applied")?.["status"]).toBe("True");
    await fleet.delete("clusters/m1");
    await fleet.settle();
    await fleet.timePasses(30);
    await fleet.settle();
    expect([fleet.get("clusters/m1"), fleet.member("m1").get("configmaps/legacy/precious") !== undefined]).toEqual([
      undefined,
      true,
    ]);
  });

  test("a joined cluster reports its version, APIs, nodes and room", async () => {
    const fleet = await start();
    const cluster = fleet.get("clusters/m1");
    expect(condition(cluster, "Ready")).toMatchObject({ status: "True", reason: "ClusterReady" });
    expect(cluster?.["status"]).toMatchObject({
      kubernetesVersion: "v1.36.0",
      nodeSummary: { totalNum: 3, readyNum: 3 },
    });
    expect(cluster?.["status"].apiEnablements.map(({ groupVersion }: Fields) => groupVersion)).toContain("apps/v1");
    expect(fleet.get("namespaces/karmada-es-m1")).toBeDefined();
  });

  test("a cordoned cluster gets nothing new and keeps what it has", async () => {
    const fleet = await start();
    await fleet.apply(policy("all"));
    await fleet.apply(deployment("web"));
    await fleet.settle();
    await fleet.patch("clusters/m1", {
      spec: { taints: [{ key: "cluster.karmada.io/unschedulable", effect: "NoSchedule" }] },
    });
    await fleet.apply(deployment("late"));
    await fleet.settle();
    expect([
      fleet.member("m1").get(web) !== undefined,
      fleet.member("m1").get("deployments/shop/late") !== undefined,
      fleet.member("m2").get("deployments/shop/late") !== undefined,
    ]).toEqual([true, false, true]);
  });

  test("no cluster fits: said on the binding, and running copies stay (ruling 19)", async () => {
    const fleet = await start();
    await fleet.apply(policy("some", to("m1")));
    await fleet.apply(deployment("web"));
    await fleet.settle();
    await fleet.apply(policy("some", to("nowhere")));
    await fleet.settle();
    expect(condition(fleet.get("resourcebindings/shop/web-deployment"), "Scheduled")).toMatchObject({
      status: "False",
      reason: "NoClusterFit",
    });
    expect(replicasIn(fleet)["m1"]).toBe(3);
  });

  test("what is to be preserved outlives unjoin, and so does the namespace that we made for it", async () => {
    const fleet = await start();
    await fleet.apply(policy("all").replace("spec:", "spec:\n  preserveResourcesOnDeletion: true"));
    await fleet.apply(deployment("web"));
    await fleet.settle();
    await fleet.delete("clusters/m3");
    await fleet.settle();
    await fleet.timePasses(30);
    await fleet.settle();
    expect(fleet.get("clusters/m3")).toBeUndefined();
    const left = [fleet.member("m3").get("deployments/shop/web"), fleet.member("m3").get("namespaces/shop")];
    expect(left.map((each) => each?.["metadata"].labels?.["karmada.io/managed"] ?? each?.["kind"])).toEqual([
      "Deployment",
      "Namespace",
    ]);
  });

  test("what is to be preserved outlives its namespace in the control plane", async () => {
    const fleet = await start();
    await fleet.apply(policy("all").replace("spec:", "spec:\n  preserveResourcesOnDeletion: true"));
    await fleet.apply(deployment("web"));
    await fleet.settle();
    await fleet.delete("namespaces/shop");
    await fleet.timePasses(60);
    await fleet.settle();
    expect(fleet.get("namespaces/shop")).toBeUndefined();
    expect(fleet.member("m1").get("deployments/shop/web")).toBeDefined();
    expect(fleet.member("m1").get("namespaces/shop")?.["metadata"].deletionTimestamp).toBeUndefined();
  });

  test("unjoin leaves nothing behind", async () => {
    const fleet = await start();
    await fleet.apply(policy("all"));
    await fleet.apply(deployment("web"));
    await fleet.settle();
    await fleet.delete("clusters/m3");
    await fleet.settle();
    await fleet.timePasses(30);
    await fleet.settle();
    expect([fleet.get("clusters/m3"), fleet.get("namespaces/karmada-es-m3")]).toEqual([undefined, undefined]);
    expect(replicasIn(fleet)).toEqual({ m1: 3, m2: 3, m3: undefined });
  });

  const unreached = {
    "that could never be reached": { name: "nowhere", spec: { syncMode: "Push" } },
    "whose address was taken away": { name: "m3", spec: { syncMode: "Push", apiEndpoint: null } },
  } as const;
  for (const [which, { name, spec }] of Object.entries(unreached))
    test(`a cluster ${which} can leave; what is there stays`, async () => {
      const fleet = await start();
      await fleet.apply(policy("all"));
      await fleet.apply(deployment("web"));
      await fleet.settle();
      if (name === "nowhere")
        await fleet.apply(
          `apiVersion: cluster.karmada.io/v1alpha1\nkind: Cluster\nmetadata: { name: ${name} }\nspec: ${JSON.stringify(spec)}\n`,
        );
      else await fleet.patch(`clusters/${name}`, { spec });
      await fleet.timePasses(60);
      await fleet.settle();
      expect(fleet.get(`namespaces/karmada-es-${name}`)).toBeDefined();
      await fleet.delete(`clusters/${name}`);
      await fleet.timePasses(30);
      await fleet.settle();
      expect([fleet.get(`clusters/${name}`), fleet.get(`namespaces/karmada-es-${name}`)]).toEqual([
        undefined,
        undefined,
      ]);
      expect(replicasIn(fleet)).toEqual({ m1: 3, m2: 3, m3: 3 });
    });
});

describe("rest", () => {
  test("idle means idle: ten minutes without a single write, in the control plane and in members", async () => {
    const fleet = await start();
    await fleet.apply(policy("all"));
    await fleet.apply(deployment("web"));
    await fleet.settle();
    await fleet.timePasses(20); // the clusters' next report of what is taken
    const revisions = () =>
      [fleet.fleet.controlPlane, ...fleet.fleet.members].map(({ server }) => server.core.store.revision);
    const before = revisions();
    await fleet.timePasses(600);
    expect(revisions()).toEqual(before);
  });

  test("a restart writes nothing and moves nothing", async () => {
    const fleet = await start({ durable: true, members: ["m1", "m2"] });
    await fleet.apply(policy("split", divided));
    await fleet.apply(deployment("web", 4));
    await fleet.settle();
    const before = fleet.get(web)?.["metadata"].resourceVersion;
    const binding = fleet.get("resourcebindings/shop/web-deployment")?.["metadata"].resourceVersion;
    await fleet.restart();
    expect([
      fleet.get(web)?.["metadata"].resourceVersion,
      fleet.get("resourcebindings/shop/web-deployment")?.["metadata"].resourceVersion,
    ]).toEqual([before, binding]);
  });

  test("a restart sends nothing without its overrides: a member's copy is not even touched", async () => {
    const fleet = await start({ durable: true, members: ["m1"] });
    await fleet.apply(`
apiVersion: policy.karmada.io/v1alpha1
kind: ClusterOverridePolicy
metadata: { name: registry }
spec:
  overrideRules: [{ overriders: { imageOverrider: [{ component: Registry, operator: add, value: mirror.example.com }] } }]
`);
    await fleet.apply(policy("all", to("m1")));
    await fleet.apply(deployment("web"));
    await fleet.settle();
    const before = fleet.member("m1").get(web);
    expect(before?.["spec"].template.spec.containers[0].image).toBe("mirror.example.com/nginx:1");
    await fleet.restart();
    expect(fleet.member("m1").get(web)?.["metadata"].resourceVersion).toBe(before?.["metadata"].resourceVersion);
  });

  test("a whole fleet does the same thing twice, given the same seed", async () => {
    const run = async () => {
      const fleet = await World.start({ seed: 7, members: ["m1", "m2"] });
      await fleet.apply(policy("all"));
      await fleet.apply(deployment("web"));
      await fleet.settle();
      const state = JSON.stringify(fleet.get("resourcebindings/shop/web-deployment"));
      await fleet[Symbol.asyncDispose]();
      return state;
    };
    expect(await run()).toBe(await run());
  });
});
