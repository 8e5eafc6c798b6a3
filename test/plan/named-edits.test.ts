import { expect, test } from "vitest";
import { gatesWith } from "#api/feature-gates.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { type LaunchNeeds, World } from "#test/world/world.ts";
import type { RandomEdit } from "./random-edits.ts";
import { make, settle, tryTogether } from "./try-edits.ts";

const members = ["m1", "m2", "m3"];

interface Story {
  readonly failover?: boolean;
  /** What there is before: each has come to rest before the next. */
  readonly given: readonly RandomEdit[];
  /** Who fails then. */
  readonly down?: string;
  /** What is planned and made. */
  readonly when: readonly RandomEdit[];
}

const put = (yaml: string): RandomEdit => ({ deletes: false, yaml });
const drop = (yaml: string): RandomEdit => ({ deletes: true, yaml });

const namespace = put("apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n");
const settings = put(`
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: shop }
data: { value: "1" }
`);

const policy = (name: string, spec: string) =>
  put(`
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: ${name}, namespace: shop }
spec: ${spec}
`);

const cluster = (name: string, taints: string) =>
  put(`
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: { name: ${name} }
spec: { syncMode: Push, taints: ${taints} }
`);

const deployment = (name: string, replicas: number) =>
  put(`
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: shop, labels: { app: ${name} } }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: main, image: nginx }] }
`);

const deployments = "resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]";
const one = "placement: { spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }] }";
const divided =
  "replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: { dynamicWeight: AvailableReplicas } }";
const groups =
  "clusterAffinities: [{ affinityName: first, clusterNames: [m1] }, { affinityName: second, clusterNames: [m2] }]";
const configMaps = "resourceSelectors: [{ apiVersion: v1, kind: ConfigMap }]";
const closed = "[{ key: closed, effect: NoSchedule }]";
const repair = "[{ key: repair, value: now, effect: NoExecute }]";

const stories: Readonly<Record<string, Story>> = {
  "what is deleted twice is refused": {
    given: [namespace, settings],
    when: [drop(settings.yaml), drop(settings.yaml)],
  },
  "a cluster that is about to be left gets nothing new": {
    failover: true,
    given: [
      namespace,
      settings,
      policy("p1", `{ ${configMaps}, placement: {} }`),
      drop(policy("p1", "").yaml),
      cluster("m2", repair),
    ],
    down: "m2",
    when: [policy("p2", `{ ${configMaps}, placement: {} }`)],
  },
  "what comes later goes where there is room by then": {
    given: [namespace, policy("p1", `{ ${deployments}, ${one} }`)],
    when: [deployment("web", 1), deployment("api", 1), deployment("jobs", 1)],
  },
  "what waits for room gets it when others go": {
    given: [
      namespace,
      policy("p1", `{ ${deployments}, placement: { clusterAffinity: { clusterNames: [m1] }, ${divided} } }`),
      deployment("web", 180),
      deployment("api", 180),
    ],
    when: [drop(deployment("web", 180).yaml)],
  },
  "what went to the second group of clusters stays there": {
    given: [namespace, policy("p1", `{ ${deployments}, placement: { ${groups} } }`), cluster("m1", closed)],
    when: [deployment("web", 1), cluster("m1", "[]"), deployment("web", 2)],
  },
  "what is tolerated for a time is not tolerated by the next edit": {
    failover: true,
    given: [namespace, settings],
    when: [
      cluster("m1", repair),
      policy(
        "p1",
        `{ ${configMaps}, placement: { clusterAffinity: { clusterNames: [m1] }, clusterTolerations: [{ key: repair, operator: Exists, effect: NoExecute, tolerationSeconds: 60 }] } }`,
      ),
    ],
  },
};

test.each(Object.entries(stories))("what is planned is what happens: %s", async (_, story) => {
  const gates = gatesWith({ Failover: story.failover ?? false });
  let fleet: RoughFleet | undefined;
  const launch = async (needs: LaunchNeeds) => {
    fleet = await RoughFleet.launch(needs);
    return fleet;
  };
  await using world = await World.start({ members, pipeline: { gates }, launch });
  for (const edit of story.given) {
    await make(world, edit);
    await settle(world);
  }
  if (story.down !== undefined) {
    fleet!.down.add(story.down);
    await world.timePasses(60); // until it counts as failed
    await settle(world);
  }
  expect(await tryTogether(world, story.when)).toEqual([]);
});
