import { describe, expect, test } from "vitest";
import { type FeatureGates, gatesWith } from "#api/feature-gates.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { configMap, mounting, policyFor } from "#test/world/dependency-manifests.ts";
import { brokenInvariants } from "#test/world/fleet-invariants.ts";
import { RoughFleet, type Sabotage } from "#test/world/rough-fleet.ts";
import type { RoadCall } from "#test/world/rough-road.ts";
import { deployment, divided, policy, to } from "#test/world/shop-manifests.ts";
import { oraclesFor } from "#test/world/swarm-oracles.ts";
import { World } from "#test/world/world.ts";
import * as bugs from "./shipped-bugs.ts";

interface Stage {
  readonly world: World;
  readonly fleet: RoughFleet;
  readonly complain: (what: string) => void;
}

interface Bug {
  readonly sabotage: () => Sabotage;
  readonly caughtBy: RegExp;
  readonly gates?: Partial<FeatureGates>;
  /** What is no reason to complain here. */
  readonly expected?: RegExp;
  /** What befalls an honest system, too. */
  readonly circumstances?: Sabotage;
  /** What happens; an honest system gives no reason to complain. */
  readonly story: (stage: Stage) => Promise<void>;
}

const web = "deployments/shop/web";
const binding = "resourcebindings/shop/web-deployment";

/** From the second start on, discovery does not show widgets. */
const withoutWidgets: Sabotage = { hides: ({ resource }, { starts }) => resource === "widgets" && starts > 1 };

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  names: { kind: Widget, plural: widgets, singular: widget }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;

const widget = `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: widgets, namespace: shop }
spec:
  resourceSelectors: [{ apiVersion: example.com/v1, kind: Widget }]
  placement: { clusterAffinity: { clusterNames: [m1] } }
---
apiVersion: example.com/v1
kind: Widget
metadata: { name: w, namespace: shop }
`;

/** Bugs that propagation systems have shipped and that need a story of their own to come out; see mutants.test.ts for the others. */
const shipped: Readonly<Record<string, Bug>> = {
  "resources are deleted because an interpreter error is swallowed": {
    sabotage: () => bugs.swallowedError,
    caughtBy: /S1/,
    async story({ world }) {
      await running(world);
      await world.timePasses(60);
      await world.apply(unrenderable);
      await world.timePasses(600);
      await world.delete("overridepolicies/shop/wrong");
    },
  },
  "custom resources are deleted during an upgrade": {
    sabotage: () => bugs.goneWithItsKind,
    caughtBy: /S1/,
    expected: /w-widget/, // the invariants know Deployments alone
    circumstances: withoutWidgets,
    async story({ world, fleet, complain }) {
      await losingWidgets(world, fleet);
      await world.timePasses(600);
      if (world.member("m1").get("widgets/shop/w") === undefined) complain("S1: the widget is gone in m1");
    },
  },
  "a policy cannot be deleted because an API that it selects is gone": {
    sabotage: () => bugs.heldByItsKind,
    caughtBy: /L8/,
    expected: /w-widget/, // as above
    circumstances: withoutWidgets,
    async story({ world, fleet }) {
      await losingWidgets(world, fleet);
      await world.delete("propagationpolicies/shop/widgets");
      await world.timePasses(600);
    },
  },
  "member copies are deleted when a member goes away and comes back": {
    sabotage: () => bugs.goneWithItsCluster(),
    caughtBy: /S1/,
    async story({ world, fleet }) {
      await running(world);
      fleet.down.add("m1");
      fleet.cut("m1");
      await world.timePasses(120);
      await world.patch(web, { spec: { replicas: 4 } });
      await world.timePasses(120);
      fleet.down.clear();
      await world.timePasses(120);
    },
  },
  "a suspended object is recreated after its deletion in the member": {
    sabotage: () => bugs.repairedWhileSuspended,
    caughtBy: /S4/,
    async story({ world, complain }) {
      await running(world);
      await world.apply(policy("all", to("m1"), { spec: "suspension: { dispatching: true }" }));
      await world.timePasses(60);
      await world.member("m1").delete(web);
      await world.timePasses(600);
      if (world.member("m1").get(web) !== undefined) complain("S4: it came back while suspended");
    },
  },
  "claims are lost when a policy is deleted and made anew": {
    sabotage: () => bugs.claimedByName,
    caughtBy: /S2/,
    async story({ world, fleet }) {
      await running(world);
      fleet.stopControllers();
      await world.patch("propagationpolicies/shop/all", { metadata: { finalizers: null } });
      await world.delete("propagationpolicies/shop/all");
      await world.apply(policy("all", to("m2")));
      fleet.restartControllers();
      await world.settle();
    },
  },
  "eviction tasks are dropped by concurrent writers": {
    sabotage: () => bugs.droppedEvictions,
    caughtBy: /S7/,
    expected: /^S5/, // it has to leave
    gates: { Failover: true },
    async story({ world, fleet, complain }) {
      await evicting(world, fleet);
      await world.patch(web, { spec: { replicas: 5 } });
      await world.timePasses(30);
      if (tasksOf(world).length !== 1) complain("S7: the eviction was dropped");
      await heal(world, fleet);
    },
  },
  "an eviction is stuck after a restart": {
    sabotage: () => bugs.forgottenEvictions(),
    caughtBy: /L8/,
    expected: /^S5/, // as above
    gates: { Failover: true },
    async story({ world, fleet, complain }) {
      await evicting(world, fleet);
      fleet.restartControllers();
      await world.timePasses(1_200);
      if (tasksOf(world).length !== 0) complain("L8: the eviction does not end");
    },
  },
  "an attached binding has another owner's uid": {
    sabotage: () => bugs.formerOwner(),
    caughtBy: /L3/,
    expected: /a-configmap|karmada-es-m1.a-/, // as above
    async story({ world }) {
      await world.apply(policyFor("PropagationPolicy", { of: "web", clusters: ["m1"] }));
      await world.apply(mounting("web", { configMaps: ["a"] }));
      await world.apply(configMap("a"));
      await world.settle();
      await world.delete("configmaps/shop/a");
      await world.apply(configMap("a", "2"));
      await world.timePasses(600);
    },
  },
  "a cached object is changed in place": {
    sabotage: () => bugs.changedInPlace,
    caughtBy: /S11/,
    async story({ world }) {
      await running(world);
      await world.patch(web, { spec: { replicas: 5 } });
    },
  },
  "replicas go by a stale list": {
    sabotage: () => bugs.staleScheduler(),
    caughtBy: /S6|S7|L1|come to rest/,
    async story({ world }) {
      await world.apply(policy("all", divided));
      await world.apply(deployment("web", 4));
      await world.settle();
      for (const replicas of [9, 2, 6]) {
        await world.patch(web, { spec: { replicas } });
        await world.timePasses(5);
      }
    },
  },
  "a division by zero in the scheduler": {
    sabotage: () => bugs.dividedByNothing,
    caughtBy: /S11: RangeError/,
    async story({ world }) {
      await running(world);
      await world.patch(web, { spec: { replicas: 0 } });
      await world.settle();
      await world.patch("clusters/m1", { metadata: { labels: { tier: "gold" } } }); // whoever placed it then, the scheduler looks now
    },
  },
};

describe("bugs that others have shipped", () => {
  for (const [name, bug] of Object.entries(shipped)) {
    test(`${name}: not here`, async () => {
      expect(await complaints(bug, {})).toEqual([]);
    });

    test(`${name}: if it were, the harness would notice`, async () => {
      const wrong = await complaints(bug, bug.sabotage());
      expect(wrong.filter((what) => bug.caughtBy.test(what))).not.toEqual([]);
    });
  }
});

/** What is wrong while a story goes on, and once all is said and done. */
async function complaints(bug: Bug, sabotage: Sabotage): Promise<readonly string[]> {
  const { gates, story, circumstances, expected } = bug;
  const wrong = new Set<string>();
  const complain = (what: string) => void wrong.add(what);
  await using world = await World.start({
    members: ["m1", "m2", "m3"],
    pipeline: { gates: gatesWith(gates) },
    launch: (needs) => RoughFleet.launch(needs, { ...circumstances, ...sabotage }),
  });
  const fleet = world.fleet as RoughFleet; // as launched
  await world.apply("apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n");
  const oracle = oraclesFor(world, { newsMs: 30_000 });
  fleet.weather = (call) => {
    for (const what of [oracle(call), ownerOracle(world, call)]) if (what !== undefined) complain(what);
    return undefined;
  };
  await story({ world, fleet, complain });
  await world.rest().catch((error: unknown) => complain(String(error)));
  const found = [...wrong, ...brokenInvariants(world), ...[...fleet.bugs].map((what) => `S11: ${what}`)];
  return found.filter((what) => expected?.test(what) !== true);
}

/** L3: what follows a workload is bound to the object that is there. */
function ownerOracle(world: World, { call: { verb, path, body }, isWrite }: RoadCall): string | undefined {
  if (!isWrite || path.resource !== "resourcebindings" || verb === "delete") return undefined;
  const { metadata, spec } = body as Fields; // a binding, or a patch of one
  if (spec?.resource?.kind !== "ConfigMap") return undefined;
  const present = world.get(`configmaps/shop/${spec.resource.name}`)?.["metadata"].uid;
  const owners = (metadata.ownerReferences ?? []).map(({ uid }: Fields) => uid);
  return present === undefined || owners.every((uid: string) => uid === present)
    ? undefined
    : `L3: what is bound to ${spec.resource.name} belongs to another`;
}

/** A widget on m1, of which discovery shows nothing any more. */
async function losingWidgets(world: World, fleet: RoughFleet): Promise<void> {
  await world.apply(definition);
  await world.member("m1").apply(definition);
  await world.timePasses(30); // until the member is known to serve it
  await world.apply(widget);
  await world.settle();
  if (world.member("m1").get("widgets/shop/w") === undefined) throw new Error("there is no widget to lose");
  fleet.restartControllers();
}

/** One Deployment on m1. */
async function running(world: World): Promise<void> {
  await world.apply(policy("all", to("m1")));
  await world.apply(deployment("web", 2));
  await world.settle();
}

const failover =
  "propagateDeps: true\n  failover: { cluster: { purgeMode: Gracefully }, application: { decisionConditions: { tolerationSeconds: 3600 }, purgeMode: Gracefully, gracePeriodSeconds: 600 } }";

/** One Deployment that leaves a cluster, as soon as it is healthy in another, which it is not. */
async function evicting(world: World, fleet: RoughFleet): Promise<void> {
  const one = "{ spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }] }";
  await world.apply(policy("all", one, { spec: failover }));
  await world.apply(deployment("web", 2));
  await world.settle();
  const from = world.get(binding)!["spec"].clusters[0].name;
  for (const [name, { faults }] of fleet.simulators)
    if (name !== from) faults.set("web", { fault: { kind: "never-ready" }, name: "web" });
  await world.patch(`clusters/${from}`, { spec: { taints: [{ key: "broken", effect: "NoExecute" }] } });
  await world.timePasses(30);
  if (tasksOf(world).length !== 1) throw new Error("nothing is evicted: the story does not tell what it should");
}

/** Nothing is broken any more. */
async function heal(world: World, fleet: RoughFleet): Promise<void> {
  for (const { faults } of fleet.simulators.values()) faults.clear("web");
  await world.timePasses(1_200);
}

function tasksOf(world: World): readonly Fields[] {
  return world.get(binding)?.["spec"].gracefulEvictionTasks ?? [];
}

/** Fails wherever it is applied: there is nothing to remove. */
const unrenderable = `
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: { name: wrong, namespace: shop }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: web }]
  overrideRules:
    - overriders: { plaintext: [{ path: /spec/paused/never, operator: remove }] }
`;
