import { afterEach, describe, expect, test } from "vitest";
import { gatesWith } from "#api/feature-gates.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { World, type WorldOptions } from "#test/world/world.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = undefined;
});

async function start(options: WorldOptions = {}): Promise<World> {
  world = await World.start({ members: ["m1", "m2"], ...options });
  return world;
}

const configMap = (name: string, namespace = "shop", data = "a") => `
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: ${namespace}, labels: { app: ${name} } }
data: { key: ${data} }
`;

interface PolicySketch {
  readonly name: string;
  /** Absent: a ClusterPropagationPolicy. */
  readonly namespace?: string;
  readonly selector?: string;
  readonly to?: string;
  readonly more?: string;
}

const policy = ({ name, namespace, selector = "", to = "m1", more = "" }: PolicySketch) => `
apiVersion: policy.karmada.io/v1alpha1
kind: ${namespace === undefined ? "ClusterPropagationPolicy" : "PropagationPolicy"}
metadata: { name: ${name}${namespace === undefined ? "" : `, namespace: ${namespace}`} }
spec:
  resourceSelectors: [{ apiVersion: v1, kind: ConfigMap${selector === "" ? "" : `, ${selector}`} }]
  placement: { clusterAffinity: { clusterNames: [${to}] } }
  ${more}
`;

const where = (fleet: World, path = "configmaps/shop/c") =>
  ["m1", "m2"].filter((name) => fleet.member(name).get(path) !== undefined);
const claim = (fleet: World, path = "configmaps/shop/c") => {
  const { annotations = {} } = fleet.get(path)?.["metadata"] ?? {};
  return annotations["propagationpolicy.karmada.io/name"] ?? annotations["clusterpropagationpolicy.karmada.io/name"];
};
const work = (fleet: World, cluster: string): Fields | undefined =>
  fleet
    .list("works")
    .find(({ metadata }) => metadata.namespace === `karmada-es-${cluster}` && metadata.name.startsWith("c-"));

describe("priority and preemption", () => {
  for (const namespace of ["shop", undefined]) {
    const scope = namespace === undefined ? "cluster-scoped" : "namespaced";
    const named = "name: c, namespace: shop";

    const challenged = async (options: WorldOptions) => {
      const fleet = await start(options);
      await fleet.apply(policy({ name: "low", ...(namespace && { namespace }) }));
      await fleet.apply(configMap("c"));
      await fleet.settle();
      await fleet.apply(
        policy({
          name: "high",
          ...(namespace && { namespace }),
          selector: named,
          to: "m2",
          more: "priority: 5\n  preemption: Always",
        }),
      );
      await fleet.settle();
      return [claim(fleet), where(fleet)];
    };

    test(`${scope}: a higher priority takes over when it preempts, and the copy moves`, async () => {
      expect(await challenged({ pipeline: { gates: gatesWith({ PropagationPolicyPreemption: true }) } })).toEqual([
        "high",
        ["m2"],
      ]);
    });

    test(`${scope}: with the gate off the claim holds`, async () => {
      expect(await challenged({})).toEqual(["low", ["m1"]]);
    });
  }

  test("a namespaced policy takes from a cluster-scoped one whatever the priorities, never the other way", async () => {
    const fleet = await start({ pipeline: { gates: gatesWith({ PropagationPolicyPreemption: true }) } });
    await fleet.apply(policy({ name: "cluster", more: "priority: 9" }));
    await fleet.apply(configMap("c"));
    await fleet.settle();
    await fleet.apply(
      policy({ name: "own", namespace: "shop", selector: "name: c", to: "m2", more: "preemption: Always" }),
    );
    await fleet.settle();
    expect([claim(fleet), where(fleet)]).toEqual(["own", ["m2"]]);
    await fleet.apply(
      policy({ name: "stronger", selector: "name: c, namespace: shop", more: "priority: 99\n  preemption: Always" }),
    );
    await fleet.settle();
    expect(claim(fleet)).toBe("own");
  });
});

describe("suspension", () => {
  for (const [spelling, field] of [
    ["Karmada's", "dispatching"],
    ["the proposal's", "suspendDispatching"],
  ] as const) {
    test(`${spelling} spelling: nothing is written while suspended, drift repair included; resumed, it arrives`, async () => {
      const fleet = await start();
      await fleet.apply(policy({ name: "p", namespace: "shop", to: "m1, m2" }));
      await fleet.apply(configMap("c"));
      await fleet.settle();
      await fleet.apply(policy({ name: "p", namespace: "shop", to: "m1, m2", more: `suspension: { ${field}: true }` }));
      await fleet.settle();
      await fleet.apply(configMap("c", "shop", "b"));
      await fleet.member("m1").patch("configmaps/shop/c", { data: { key: "drifted" } });
      await fleet.settle();
      expect(["m1", "m2"].map((name) => fleet.member(name).get("configmaps/shop/c")?.["data"].key)).toEqual([
        "drifted",
        "a",
      ]);
      const dispatching = work(fleet, "m1")?.["status"].conditions.find(({ type }: Fields) => type === "Dispatching");
      expect(dispatching).toMatchObject({
        status: "False",
        reason: "SuspendDispatching",
        message: "Work dispatching is in a suspended state.",
      });
      await fleet.apply(policy({ name: "p", namespace: "shop", to: "m1, m2" }));
      await fleet.settle();
      expect(["m1", "m2"].map((name) => fleet.member(name).get("configmaps/shop/c")?.["data"].key)).toEqual(["b", "b"]);
    });

    test(`${spelling} spelling: release cluster by cluster`, async () => {
      const fleet = await start();
      const suspended = (clusters: string) =>
        policy({
          name: "p",
          namespace: "shop",
          to: "m1, m2",
          more: `suspension: { ${field}OnClusters: { clusterNames: [${clusters}] } }`,
        });
      await fleet.apply(suspended("m1, m2"));
      await fleet.apply(configMap("c"));
      await fleet.settle();
      expect(where(fleet)).toEqual([]);
      await fleet.apply(suspended("m2"));
      await fleet.settle();
      expect(where(fleet)).toEqual(["m1"]);
      await fleet.apply(policy({ name: "p", namespace: "shop", to: "m1, m2" }));
      await fleet.settle();
      expect(where(fleet)).toEqual(["m1", "m2"]);
    });
  }

  test("deletion is never held up", async () => {
    const fleet = await start();
    await fleet.apply(policy({ name: "p", namespace: "shop" }));
    await fleet.apply(configMap("c"));
    await fleet.settle();
    await fleet.apply(policy({ name: "p", namespace: "shop", more: "suspension: { dispatching: true }" }));
    await fleet.settle();
    await fleet.delete("configmaps/shop/c");
    await fleet.settle();
    expect(where(fleet)).toEqual([]);
  });
});

describe("batch change", () => {
  test("namespace lists and prefixes pick what they name and nothing else", async () => {
    const fleet = await start();
    await fleet.apply(policy({ name: "p", selector: '"namespace": "shop, team-*"' }));
    for (const namespace of ["shop", "team-a", "other"]) await fleet.apply(configMap("c", namespace));
    await fleet.settle();
    expect(["shop", "team-a", "other"].map((namespace) => where(fleet, `configmaps/${namespace}/c`))).toEqual([
      ["m1"],
      ["m1"],
      [],
    ]);
  });

  test("an edit that excludes a claimed template releases it, and it keeps running", async () => {
    const fleet = await start();
    await fleet.apply(policy({ name: "p" }));
    await fleet.apply(configMap("c"));
    await fleet.apply(configMap("d"));
    await fleet.settle();
    await fleet.apply(
      policy({
        name: "p",
        more: "excludeResourceSelectors: [{ apiVersion: v1, kind: ConfigMap, namespace: shop, name: c }]",
      }),
    );
    await fleet.settle();
    expect([claim(fleet), where(fleet), claim(fleet, "configmaps/shop/d")]).toEqual([undefined, ["m1"], "p"]);
  });

  test("excluded here, matched anew there, at once", async () => {
    const fleet = await start();
    await fleet.apply(policy({ name: "all" }));
    await fleet.apply(configMap("c"));
    await fleet.apply(policy({ name: "zz-rest", to: "m2" }));
    await fleet.settle();
    expect([claim(fleet), where(fleet)]).toEqual(["all", ["m1"]]);
    await fleet.apply(policy({ name: "all", selector: "exclude: { namespace: shop }" }));
    await fleet.settle();
    expect([claim(fleet), where(fleet)]).toEqual(["zz-rest", ["m2"]]);
  });

  test("only what matches is touched", async () => {
    const fleet = await start();
    await fleet.apply(policy({ name: "p" }));
    for (const name of ["c", "d", "e"]) await fleet.apply(configMap(name));
    await fleet.settle();
    const before = fleet.get("resourcebindings/shop/d-configmap")?.["metadata"].resourceVersion;
    await fleet.apply(
      policy({
        name: "p",
        more: "excludeResourceSelectors: [{ apiVersion: v1, kind: ConfigMap, namespace: shop, name: c }]",
      }),
    );
    await fleet.settle();
    expect(fleet.get("resourcebindings/shop/d-configmap")?.["metadata"].resourceVersion).toBe(before);
  });
});
