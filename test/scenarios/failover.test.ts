import { afterEach, describe, expect, test } from "vitest";
import { type FeatureGates, gatesWith } from "#api/feature-gates.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { parseExposition, sampleOf } from "#test/world/exposition.ts";
import { http } from "#test/world/http.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { deployment, policy } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

const web = "deployments/shop/web";
const binding = "resourcebindings/shop/web-deployment";

let world: World | undefined;
afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
  world = undefined;
});

interface Begin {
  readonly members?: readonly string[];
  readonly gates?: Partial<FeatureGates>;
  /** Fields of the placement, in flow style. */
  readonly placement?: string;
  /** Fields of the policy, one line. */
  readonly spec?: string;
}

/** One cluster runs all replicas; the first that fits stays chosen. */
const oneOf = (...clusters: readonly string[]) =>
  `clusterAffinity: { clusterNames: [${clusters.join(", ")}] }, spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }]`;

/** A world in which web runs as the policy says. */
async function begin({ members = ["m1", "m2"], gates = {}, placement = oneOf(...members), spec = "" }: Begin = {}) {
  world = await World.start({
    members,
    launch: (needs) => RoughFleet.launch(needs),
    pipeline: { gates: gatesWith({ Failover: true, ...gates }) },
  });
  await world.apply(policy("some", `{ ${placement} }`, spec === "" ? {} : { spec }));
  await world.apply(deployment("web"));
  await world.settle();
  return world;
}

const fleetOf = (each: World) => each.fleet as RoughFleet; // as launched

/** Where web should run, and what it is leaving. */
const plan = (each: World) => {
  const { clusters = [], gracefulEvictionTasks = [] } = (each.get(binding)?.["spec"] ?? {}) as Fields;
  return {
    on: clusters.map(({ name, replicas }: Fields) => `${name}:${replicas}`).join(" "),
    leaving: gracefulEvictionTasks.map(({ fromCluster }: Fields) => fromCluster).join(" "),
  };
};

/** The members that have a copy. */
const copies = (each: World) =>
  each.fleet.members
    .map(({ name }) => name)
    .filter((name) => each.member(name).get(web) !== undefined)
    .join(" ");

async function taint(each: World, cluster: string, taints: readonly Fields[]): Promise<void> {
  const kept = (each.get(`clusters/${cluster}`)?.["spec"].taints ?? []).filter(
    ({ effect }: Fields) => effect !== "NoExecute",
  );
  await each.patch(`clusters/${cluster}`, { spec: { taints: [...kept, ...taints] } });
}

const noExecute = { key: "broken", effect: "NoExecute" };

/** Breaks web in a member, or mends it: new pods never get ready. */
async function breakWeb(each: World, cluster: string): Promise<void> {
  fleetOf(each)
    .simulators.get(cluster)!
    .faults.set("broken", { fault: { kind: "never-ready" }, name: "web" });
  for (const pod of each.member(cluster).list("pods"))
    await each.member(cluster).delete(`pods/shop/${pod["metadata"].name}`);
}

/** Nothing is written for an hour, once the clusters have reported what is taken. */
async function staysQuiet(each: World): Promise<void> {
  await each.timePasses(60);
  const { written } = fleetOf(each);
  written.splice(0);
  await each.timePasses(3_600);
  expect(written).toEqual([]);
}

const evictions = (each: World) =>
  each
    .list("events")
    .filter(({ reason, involvedObject }) => reason.startsWith("EvictWorkload") && involvedObject.kind === "Deployment")
    .map(({ type, reason }) => `${type} ${reason}`);

describe("a cluster with a taint that drives out", () => {
  test("nothing tolerates it: the new copy comes first, then the old one goes", async () => {
    const each = await begin();
    expect(plan(each)).toEqual({ on: "m1:3", leaving: "" });
    fleetOf(each)
      .simulators.get("m2")!
      .faults.set("slow", { fault: { kind: "slow-start", delayMs: 60_000 }, name: "web" });
    await taint(each, "m1", [noExecute]);
    await each.timePasses(30);
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "m1" });
    expect(copies(each)).toBe("m1 m2");
    expect(each.get(binding)?.["spec"].gracefulEvictionTasks).toMatchObject([
      {
        fromCluster: "m1",
        replicas: 3,
        purgeMode: "Gracefully",
        reason: "TaintUntolerated",
        producer: "TaintManager",
        message: "cluster m1 has the taint broken:NoExecute, which is not tolerated",
      },
    ]);
    await each.timePasses(60);
    await each.settle();
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "" });
    expect(copies(each)).toBe("m2");
    expect(evictions(each)).toEqual([
      "Normal EvictWorkloadFromClusterSucceed",
      "Normal EvictWorkloadFromClusterSucceed",
    ]);
  });

  test("the gate is off: nothing moves", async () => {
    const each = await begin({ gates: { Failover: false } });
    await taint(each, "m1", [noExecute]);
    await each.timePasses(3_600);
    expect(plan(each)).toEqual({ on: "m1:3", leaving: "" });
  });

  test("tolerated for a time: it moves when the time is over, and a restart does not begin anew", async () => {
    const tolerations = "clusterTolerations: [{ key: broken, operator: Exists, tolerationSeconds: 300 }]";
    const each = await begin({ placement: `${oneOf("m1", "m2")}, ${tolerations}` });
    await taint(each, "m1", [noExecute]);
    await each.timePasses(200);
    fleetOf(each).restartControllers();
    await each.timePasses(95);
    expect(plan(each)).toEqual({ on: "m1:3", leaving: "" });
    await each.timePasses(20);
    await each.settle();
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "" });
    expect(copies(each)).toBe("m2");
    await staysQuiet(each); // what is over its time does not come back and go again
  });

  test("the taint goes before the time is over: nothing happens", async () => {
    const tolerations = "clusterTolerations: [{ key: broken, operator: Exists, tolerationSeconds: 300 }]";
    const each = await begin({ placement: `${oneOf("m1", "m2")}, ${tolerations}` });
    await taint(each, "m1", [noExecute]);
    await each.timePasses(200);
    await taint(each, "m1", []);
    await staysQuiet(each);
    expect(plan(each)).toEqual({ on: "m1:3", leaving: "" });
  });

  test("tolerated for ever: nothing moves", async () => {
    const each = await begin({
      placement: `${oneOf("m1", "m2")}, clusterTolerations: [{ key: broken, operator: Exists }]`,
    });
    await taint(each, "m1", [noExecute]);
    await each.timePasses(3_600);
    expect(plan(each)).toEqual({ on: "m1:3", leaving: "" });
  });

  test("divided replicas move to those who stay, none is lost on the way", async () => {
    const each = await begin({
      members: ["m1", "m2", "m3"],
      placement: "replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted }",
    });
    expect(plan(each).on).toBe("m1:1 m2:1 m3:1");
    await taint(each, "m2", [noExecute]);
    await each.settle();
    expect(plan(each)).toEqual({ on: expect.stringMatching(/^m1:[12] m3:[12]$/), leaving: "" });
    expect(copies(each)).toBe("m1 m3");
  });

  test("nowhere to go: it stays, says why, and moves when a place appears", async () => {
    const each = await begin({ placement: oneOf("m1") });
    await taint(each, "m1", [noExecute]);
    await each.timePasses(3_600);
    expect(plan(each)).toEqual({ on: "m1:3", leaving: "" });
    expect(copies(each)).toBe("m1");
    expect(evictions(each)).toEqual(["Warning EvictWorkloadFromClusterFailed"]);
    await staysQuiet(each);
    fleetOf(each).restartControllers();
    await staysQuiet(each);
    await each.apply(policy("some", `{ ${oneOf("m1", "m2")} }`));
    await each.settle();
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "" });
  });

  test("one of several places of a duplicated workload is given up", async () => {
    const each = await begin({ placement: "" });
    expect(plan(each).on).toBe("m1:3 m2:3");
    await taint(each, "m1", [noExecute]);
    await each.settle();
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "" });
    expect(copies(each)).toBe("m2");
  });

  test("a member that is down: its copy goes when it is back, through its work", async () => {
    const each = await begin();
    fleetOf(each).down.add("m1");
    await each.timePasses(60);
    await taint(each, "m1", [noExecute]);
    await each.timePasses(120);
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "" });
    expect(copies(each)).toBe("m1 m2");
    fleetOf(each).down.delete("m1");
    await each.timePasses(120);
    await each.settle();
    expect(copies(each)).toBe("m2");
  });

  test("a member that is down and comes back without a taint loses nothing", async () => {
    const each = await begin();
    fleetOf(each).down.add("m1");
    await each.timePasses(3_600);
    fleetOf(each).down.delete("m1");
    await each.timePasses(120);
    await each.settle();
    expect(plan(each)).toEqual({ on: "m1:3", leaving: "" });
    expect(copies(each)).toBe("m1");
    expect(fleetOf(each).written.filter(({ verb, cluster }) => verb === "delete" && cluster === "m1")).toEqual([]);
  });
});

describe("graceful eviction", () => {
  test("the new copy never gets healthy: the old one goes after ten minutes", async () => {
    const each = await begin();
    await breakWeb(each, "m2");
    await taint(each, "m1", [noExecute]);
    await each.timePasses(300);
    fleetOf(each).restartControllers();
    await each.timePasses(295);
    expect(copies(each)).toBe("m1 m2");
    await each.timePasses(15);
    await each.settle();
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "" });
    expect(copies(each)).toBe("m2");
  });

  test("Directly: the old copy is gone before the new one appears", async () => {
    const each = await begin({ spec: "failover: { cluster: { purgeMode: Directly } }" });
    fleetOf(each).written.splice(0);
    await taint(each, "m1", [noExecute]);
    await each.settle();
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "" });
    expect(copies(each)).toBe("m2");
    const lives = fleetOf(each)
      .written.filter(({ resource, verb }) => resource === "deployments" && verb !== "update" && verb !== "patch")
      .map(({ cluster, verb }) => `${verb} ${cluster}`);
    expect(lives).toEqual(["delete m1", "create m2"]);
  });

  test("suppressDeletion keeps the copy until someone says otherwise", async () => {
    const each = await begin({ placement: oneOf("m1", "m2") });
    await breakWeb(each, "m2");
    await taint(each, "m1", [noExecute]);
    await each.timePasses(30);
    const [task] = each.get(binding)?.["spec"].gracefulEvictionTasks ?? [];
    await each.patch(binding, { spec: { gracefulEvictionTasks: [{ ...task, suppressDeletion: true }] } });
    await each.timePasses(7_200);
    expect(copies(each)).toBe("m1 m2");
    await each.patch(binding, { spec: { gracefulEvictionTasks: [{ ...task, suppressDeletion: false }] } });
    await each.settle();
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "" });
    expect(copies(each)).toBe("m2");
  });
});

describe("other ways", () => {
  test("without GracefulEviction the old copy goes at once", async () => {
    const each = await begin({ gates: { GracefulEviction: false } });
    await breakWeb(each, "m2");
    await taint(each, "m1", [noExecute]);
    await each.settle();
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "" });
    expect(copies(each)).toBe("m2");
  });

  test("with ClearTargetsWhenNoFit what fits nowhere leaves after its time, as in Karmada", async () => {
    const each = await begin({ placement: oneOf("m1"), gates: { ClearTargetsWhenNoFit: true } });
    await taint(each, "m1", [noExecute]);
    await each.timePasses(590);
    expect(plan(each)).toEqual({ on: "", leaving: "m1" });
    expect(copies(each)).toBe("m1");
    await each.timePasses(30);
    expect(plan(each)).toEqual({ on: "", leaving: "" });
    expect(copies(each)).toBe("");
  });

  test("the next group of clusters takes over, and its name is written down", async () => {
    const groups = "{ affinityName: first, clusterNames: [m1] }, { affinityName: second, clusterNames: [m2] }";
    const each = await begin({ placement: `clusterAffinities: [${groups}]` });
    expect(each.get(binding)?.["status"].schedulerObservingAffinityName).toBe("first");
    await taint(each, "m1", [noExecute]);
    await each.settle();
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "" });
    expect(each.get(binding)?.["status"].schedulerObservingAffinityName).toBe("second");
    expect(copies(each)).toBe("m2");
    await staysQuiet(each);
  });

  test("its replacement goes too: the copy that was leaving is kept, and used again when it fits again", async () => {
    const each = await begin();
    await breakWeb(each, "m2");
    await taint(each, "m1", [noExecute]);
    await each.settle();
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "m1" });
    await each.delete("clusters/m2");
    await each.timePasses(3_600);
    expect(plan(each)).toEqual({ on: "", leaving: "m1" });
    expect(each.member("m1").get(web)).toBeDefined();
    fleetOf(each).written.splice(0);
    await taint(each, "m1", []);
    await each.settle();
    expect(plan(each)).toEqual({ on: "m1:3", leaving: "" });
    expect(fleetOf(each).written.filter(({ verb, cluster }) => verb === "delete" && cluster === "m1")).toEqual([]);
  });
});

describe("an application that stays unhealthy", () => {
  const failover = (purge: string) =>
    `propagateDeps: true, failover: { application: { decisionConditions: { tolerationSeconds: 120 }, ${purge} } }`.replace(
      ", failover",
      "\n  failover",
    );

  test("moves when its time is over, and a restart begins to count anew", async () => {
    const each = await begin({ spec: failover("purgeMode: Gracefully, gracePeriodSeconds: 60") });
    await breakWeb(each, "m1");
    await each.timePasses(100);
    fleetOf(each).restartControllers();
    await each.timePasses(100);
    expect(plan(each)).toEqual({ on: "m1:3", leaving: "" });
    await each.timePasses(60);
    await each.settle();
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "" });
    expect(copies(each)).toBe("m2");
  });

  test("gets well in time: nothing happens", async () => {
    const each = await begin({ spec: failover("purgeMode: Gracefully") });
    await breakWeb(each, "m1");
    await each.timePasses(100);
    fleetOf(each).simulators.get("m1")!.faults.clear("broken");
    for (const pod of each.member("m1").list("pods"))
      await each.member("m1").delete(`pods/shop/${pod["metadata"].name}`);
    await each.timePasses(600);
    expect(plan(each)).toEqual({ on: "m1:3", leaving: "" });
  });

  test("Never: the old copy stays for someone to look at", async () => {
    const each = await begin({ spec: failover("purgeMode: Never") });
    await breakWeb(each, "m1");
    await each.timePasses(3_600);
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "m1" });
    expect(each.get(binding)?.["spec"].gracefulEvictionTasks).toMatchObject([
      {
        suppressDeletion: true,
        purgeMode: "Never",
        reason: "ApplicationFailure",
        producer: "resource-binding-application-failover-controller",
      },
    ]);
    expect(copies(each)).toBe("m1 m2");
  });

  test("nobody takes over: it stays", async () => {
    const each = await begin({ placement: "", spec: failover("purgeMode: Directly") });
    await breakWeb(each, "m1");
    await each.timePasses(300);
    await staysQuiet(each);
    expect(plan(each)).toEqual({ on: "m1:3 m2:3", leaving: "" });
  });
});

test.each([1, 2, 3, 4])(
  "somebody else writes a task just before the controllers' write number %d: neither is lost",
  async (at) => {
    const each = await begin({ members: ["m1", "m2", "m3"], placement: "" });
    const others = { fromCluster: "m3", reason: "Maintenance", producer: "somebody", suppressDeletion: true };
    let writes = 0;
    let theirs: Promise<void> | undefined;
    fleetOf(each).weather = ({ call, isWrite }) => {
      if (!isWrite || call.path.resource !== "resourcebindings" || ++writes !== at) return undefined;
      const { metadata, spec } = each.get(binding) as { metadata: Fields; spec: Fields };
      const patch = {
        metadata: { resourceVersion: metadata["resourceVersion"] },
        spec: {
          clusters: (spec["clusters"] ?? []).filter(({ name }: Fields) => name !== "m3"),
          gracefulEvictionTasks: [...(spec["gracefulEvictionTasks"] ?? []), others],
        },
      };
      theirs = each.patch(binding, patch);
      return undefined;
    };
    await taint(each, "m1", [noExecute]);
    await each.settle();
    fleetOf(each).weather = () => undefined;
    await theirs;
    await each.timePasses(700);
    expect(plan(each)).toEqual({ on: "m2:3", leaving: "m3" });
    expect(copies(each)).toBe("m2 m3");
  },
);

test("evictions are counted as Karmada counts them", async () => {
  world = await World.start({ members: ["m1", "m2"], pipeline: { gates: gatesWith({ Failover: true }) } });
  await world.apply(policy("some", `{ ${oneOf("m1", "m2")} }`));
  await world.apply(deployment("web"));
  await world.settle();
  await taint(world, "m1", [noExecute]);
  await world.settle();
  const told = parseExposition((await http(world.fleet.controlPlane, "/metrics")).text);
  const labels = { member_cluster: "m1", resource_kind: "ResourceBinding" };
  expect(sampleOf(told, "eviction_kind_total", labels)).toBe(1);
  expect(sampleOf(told, "eviction_processing_total", { name: "binding-eviction", result: "success" })).toBe(1);
  expect(sampleOf(told, "eviction_queue_depth", { name: "binding-eviction" })).toBe(0);
});
