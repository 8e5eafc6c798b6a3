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

const override = (name: string) =>
  put(`
apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: { name: ${name}, namespace: shop }
spec: { overrideRules: [{ overriders: { labelsOverrider: [{ operator: add, value: { by: ${name} } }] } }] }
`);

const cluster = (name: string, taints: string) =>
  put(`
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata: { name: ${name} }
spec: { syncMode: Push, taints: ${taints} }
`);

interface Sketch {
  readonly name?: string;
  readonly team?: string;
  readonly image?: string;
  readonly more?: string;
  readonly volumes?: string;
}

const deployment = (
  replicas: number,
  { name = "web", team = "a", image = "nginx", more = "", volumes = "[]" }: Sketch = {},
) =>
  put(`
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: shop, labels: { app: ${name}, team: ${team} }${more} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: main, image: ${image} }], volumes: ${volumes} }
`);

const deployments = "resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]";
const one = "placement: { spreadConstraints: [{ spreadByField: cluster, minGroups: 1, maxGroups: 1 }] }";
const divided =
  "replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: { dynamicWeight: AvailableReplicas } }";
const groups =
  "clusterAffinities: [{ affinityName: first, clusterNames: [m1] }, { affinityName: second, clusterNames: [m2] }]";
const on = (names: string) => `clusterAffinity: { clusterNames: [${names}] }`;
const ofTeam = (team: string) =>
  `resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, labelSelector: { matchLabels: { team: ${team} } } }]`;
const needsSettings = "[{ name: c, configMap: { name: settings } }]";
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
    when: [deployment(1), deployment(1, { name: "api" }), deployment(1, { name: "jobs" })],
  },
  "what waits for room gets it when others go": {
    given: [
      namespace,
      policy("p1", `{ ${deployments}, placement: { clusterAffinity: { clusterNames: [m1] }, ${divided} } }`),
      deployment(180),
      deployment(180, { name: "api" }),
    ],
    when: [drop(deployment(180).yaml)],
  },
  "what went to the second group of clusters stays there": {
    given: [namespace, policy("p1", `{ ${deployments}, placement: { ${groups} } }`), cluster("m1", closed)],
    when: [deployment(1), cluster("m1", "[]"), deployment(2)],
  },
  "what has left by then may come back": {
    failover: true,
    given: [
      namespace,
      policy("p1", `{ ${deployments}, placement: { ${on("m1")}, clusterTolerations: [{ operator: Exists }] } }`),
      deployment(1),
      cluster("m1", repair),
    ],
    when: [policy("p1", `{ ${deployments}, placement: { ${on("m1, m2")} } }`), cluster("m1", "[]")],
  },
  "what fits nowhere stays, also where enough would be left": {
    failover: true,
    given: [
      namespace,
      policy("p1", `{ ${deployments}, placement: { ${on("m1, m2")}, clusterTolerations: [{ operator: Exists }] } }`),
      deployment(1),
      cluster("m1", repair),
    ],
    when: [policy("p1", `{ ${deployments}, placement: { ${on("nowhere")}, ${divided} } }`)],
  },
  "what controllers wrote is theirs": {
    given: [namespace, deployment(1, { more: ", annotations: { note: mine }" })],
    when: [policy("p1", `{ ${deployments}, placement: {} }`), deployment(1, { image: "nginx:2" })],
  },
  "a cluster that comes back and cannot be reached": {
    given: [namespace],
    when: [drop(cluster("m2", "[]").yaml), cluster("m2", "[]")],
  },
  "a cluster that could never be reached leaves": {
    given: [namespace, drop(cluster("m2", "[]").yaml), cluster("m2", "[]")],
    when: [drop(cluster("m2", "[]").yaml)],
  },
  "what is suspended is not sent to who needs it": {
    given: [
      namespace,
      policy("p1", `{ ${deployments}, propagateDeps: true, placement: {} }`),
      policy("p2", `{ ${configMaps}, suspension: { dispatching: true }, placement: {} }`),
      deployment(1, { volumes: needsSettings }),
    ],
    when: [settings],
  },
  "who takes over decides what is sent": {
    given: [
      namespace,
      settings,
      policy("p1", `{ ${ofTeam("a")}, propagateDeps: true, placement: {} }`),
      policy("p2", `{ ${ofTeam("b")}, suspension: { dispatching: true }, placement: {} }`),
      deployment(1),
    ],
    when: [deployment(1, { team: "b", image: "nginx:2", volumes: needsSettings })],
  },
  "what a policy claims that waited for an override": {
    given: [
      namespace,
      settings,
      policy("p1", `{ ${configMaps}, placement: {} }`),
      policy("p2", `{ ${configMaps}, dependentOverrides: [o1], placement: { ${on("m2")} } }`),
      drop(policy("p1", "").yaml),
    ],
    down: "m1",
    when: [override("o1")],
  },
  "what is needed no more goes as it was treated while it was needed": {
    given: [
      namespace,
      settings,
      policy("p1", `{ ${deployments}, propagateDeps: true, placement: {} }`),
      deployment(1, { volumes: needsSettings }),
      drop(policy("p1", "").yaml),
      deployment(1),
    ],
    when: [policy("p2", `{ ${deployments}, propagateDeps: true, preserveResourcesOnDeletion: true, placement: {} }`)],
  },
  "what is claimed the moment that nobody needs it any more": {
    given: [
      namespace,
      settings,
      policy(
        "p1",
        `{ ${deployments}, propagateDeps: true, preserveResourcesOnDeletion: true, placement: { ${on("m1")} } }`,
      ),
      deployment(1, { volumes: needsSettings }),
    ],
    when: [
      policy(
        "p1",
        `{ resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }, { apiVersion: v1, kind: ConfigMap }], placement: { ${on("m2")} } }`,
      ),
    ],
  },
  "what is claimed, as its policy lets those go that needed it": {
    given: [
      namespace,
      settings,
      policy("p1", `{ ${deployments}, propagateDeps: true, placement: { ${on("m1")} } }`),
      policy("p2", `{ ${deployments}, placement: { ${on("m2")} } }`),
      deployment(1, { volumes: needsSettings }),
    ],
    when: [
      policy(
        "p1",
        `{ ${configMaps}, preserveResourcesOnDeletion: true, suspension: { dispatching: true }, placement: { ${on("m3")} } }`,
      ),
    ],
  },
  "what goes elsewhere the moment that it comes to be needed": {
    given: [
      namespace,
      settings,
      policy("p1", `{ ${deployments}, propagateDeps: true, placement: { ${on("m1")} } }`),
      policy(
        "p2",
        `{ resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }, { apiVersion: v1, kind: ConfigMap }], priority: 1, placement: { ${on("m1")} } }`,
      ),
      deployment(1, { volumes: needsSettings }),
    ],
    down: "m1",
    when: [policy("p2", `{ ${configMaps}, placement: { ${on("m2")} } }`)],
  },
  "what is not needed any more by who comes back": {
    given: [
      namespace,
      settings,
      policy(
        "p1",
        `{ ${deployments}, propagateDeps: true, preserveResourcesOnDeletion: true, placement: { ${on("m1")} } }`,
      ),
      deployment(1, { volumes: needsSettings }),
      drop(cluster("m1", "[]").yaml),
      deployment(1),
    ],
    when: [
      policy(
        "p1",
        `{ ${deployments}, propagateDeps: true, preserveResourcesOnDeletion: true, placement: { ${on("m2")} } }`,
      ),
    ],
  },
  "what has to go first from where nobody answers is replaced when its time is up": {
    failover: true,
    given: [
      namespace,
      policy(
        "p1",
        `{ ${deployments}, failover: { cluster: { purgeMode: Directly } }, placement: { ${groups}, clusterTolerations: [{ key: cluster.karmada.io/not-ready, operator: Exists }] } }`,
      ),
      deployment(1),
    ],
    down: "m1",
    when: [cluster("m1", repair)],
  },
  "what has to go first goes ahead of those who need it, and stays with them until they leave": {
    failover: true,
    given: [
      namespace,
      settings,
      policy("p1", `{ ${deployments}, propagateDeps: true, placement: { ${groups} } }`),
      policy("p2", `{ ${configMaps}, failover: { cluster: { purgeMode: Directly } }, placement: { ${groups} } }`),
      deployment(1, { volumes: needsSettings }),
    ],
    when: [cluster("m1", repair)],
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
