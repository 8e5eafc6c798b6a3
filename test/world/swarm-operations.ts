import type { Fields } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Dice } from "./dice.ts";
import type { RoughFleet } from "./rough-fleet.ts";
import { cluster, clusterPolicy, deployment, divided, policy, registryOverride, to } from "./shop-manifests.ts";
import type { World } from "./world.ts";

/** Where a swarm acts, and what has to be remembered of it. */
export interface Stage {
  readonly world: World;
  readonly fleet: RoughFleet;
  readonly dice: Dice;
  /** Members that left at some time: what they could not be asked to delete may still be there. */
  readonly left: Set<string>;
  /** What users wrote on bindings, by name. */
  readonly notes: Map<string, { readonly uid: string; readonly note: string }>;
}

export type Operation = (stage: Stage) => Promise<void> | void;

export const members = ["m1", "m2", "m3"];
const names = ["web", "api", "job"];
const policies = ["p1", "p2"];
const clusterPolicies = ["c1", "c2"];
const cordon = "cluster.karmada.io/unschedulable";

const placements = (dice: Dice) => dice.of([to(...dice.some(members)), divided, "{}", to(...dice.some(members))]);
const selector = (dice: Dice) => (dice.happens(0.5) ? { selector: `name: ${dice.of(names)}` } : {});
const preempting = (dice: Dice) => ({
  selector: `name: ${dice.of(names)}`,
  spec: `priority: ${dice.below(4)}\n  preemption: Always`,
});

/** What users, operators and accidents do. */
export const operations: Readonly<Record<string, Operation>> = {
  deploy: ({ world, dice }) => world.apply(deployment(dice.of(names), 1 + dice.below(6), `nginx:${dice.below(9)}`)),
  scale: ({ world, dice }) => patch(world, `deployments/shop/${dice.of(names)}`, { spec: { replicas: dice.below(7) } }),
  remove: ({ world, dice }) => remove(world, `deployments/shop/${dice.of(names)}`),
  policy: ({ world, dice }) => world.apply(policy(dice.of(policies), placements(dice), selector(dice))),
  removePolicy: ({ world, dice }) => remove(world, `propagationpolicies/shop/${dice.of(policies)}`),
  clusterPolicy: ({ world, dice }) =>
    world.apply(clusterPolicy(dice.of(clusterPolicies), placements(dice), selector(dice))),
  removeClusterPolicy: ({ world, dice }) => remove(world, `clusterpropagationpolicies/${dice.of(clusterPolicies)}`),
  preempt: ({ world, dice }) => world.apply(policy(dice.of(policies), placements(dice), preempting(dice))),
  preemptAcross: ({ world, dice }) =>
    world.apply(clusterPolicy(dice.of(clusterPolicies), placements(dice), preempting(dice))),
  suspend: ({ world, dice }) =>
    patch(world, `propagationpolicies/shop/${dice.of(policies)}`, {
      spec: {
        suspension: dice.of([
          { dispatching: true, dispatchingOnClusters: null },
          { dispatching: null, dispatchingOnClusters: { clusterNames: dice.some(members) } },
        ]),
      },
    }),
  resume: ({ world, dice }) =>
    patch(world, `propagationpolicies/shop/${dice.of(policies)}`, { spec: { suspension: null } }),
  async annotate({ world, dice, notes }) {
    const { name, uid } = someBinding(world, dice)?.["metadata"] ?? {};
    if (uid === undefined) return;
    const note = String(dice.below(1_000));
    notes.set(name, { uid, note });
    await world.patch(`resourcebindings/shop/${name}`, { metadata: { annotations: { "example.com/note": note } } });
  },
  async pin({ world, dice }) {
    const name = someBinding(world, dice)?.["metadata"].name;
    await patch(world, `resourcebindings/shop/${name}`, { spec: { suspension: { scheduling: true } } });
  },
  unpin: ({ world }) => unpinAll(world),
  override: ({ world, dice }) =>
    world.apply(
      registryOverride(dice.of(["o1", "o2"]), {
        of: dice.of(names),
        cluster: dice.of(members),
        registry: dice.of(["a.example.com", "b.example.com"]),
      }),
    ),
  removeOverride: ({ world, dice }) => remove(world, `overridepolicies/shop/${dice.of(["o1", "o2"])}`),
  cordon: ({ world, dice }) =>
    patch(world, `clusters/${dice.of(members)}`, { spec: { taints: [{ key: cordon, effect: "NoSchedule" }] } }),
  uncordon: ({ world, dice }) => patch(world, `clusters/${dice.of(members)}`, { spec: { taints: null } }),
  async unjoin({ world, dice, left }) {
    const member = dice.of(members);
    left.add(member);
    await remove(world, `clusters/${member}`);
  },
  rejoin: ({ world, dice }) => join(world, dice.of(members)),
  removeNamespace: ({ world }) => remove(world, "namespaces/shop"),
  memberDown({ fleet, dice }) {
    const member = dice.of(members);
    fleet.down.add(member);
    fleet.cut(member);
  },
  memberUp: ({ fleet }) => fleet.down.clear(),
  restart: ({ fleet }) => fleet.restartControllers(),
  async breakStreams({ fleet, dice }) {
    const broken = dice.of([fleet.controlPlane, ...fleet.members]);
    fleet.cut(broken.name);
    const { store } = broken.server.core;
    if (dice.happens(0.5)) await store.compact(store.revision);
  },
  async drift({ world, dice }) {
    const member = world.member(dice.of(members));
    const path = `deployments/shop/${dice.of(names)}`;
    if (member.get(path) === undefined) return;
    if (dice.happens(0.5)) await member.patch(path, { spec: { replicas: 7 } });
    else await member.delete(path);
  },
};

/** Names of operations as often as they are to come: more is built than torn down. */
export const lot: readonly string[] = [
  ...Object.keys(operations),
  ...[
    "deploy",
    "deploy",
    "deploy",
    "deploy",
    "scale",
    "scale",
    "policy",
    "preempt",
    "suspend",
    "rejoin",
    "drift",
    "pin",
  ],
];

/** What the server refuses, because a namespace or a cluster is on its way out, is refused to the user, who lives with it. */
export async function attempt(operation: Operation, stage: Stage): Promise<void> {
  try {
    await operation(stage);
  } catch (error: unknown) {
    if (!(error instanceof StatusError)) throw error;
  }
}

/** Lets all bindings be scheduled again. */
export async function unpinAll(world: World): Promise<void> {
  for (const { metadata, spec } of world.list("resourcebindings"))
    if (spec.suspension?.scheduling === true)
      await world.patch(`resourcebindings/${metadata.namespace}/${metadata.name}`, {
        spec: { suspension: { scheduling: null } },
      });
}

/** Joins a member that is not joined. */
export async function join(world: World, name: string): Promise<void> {
  if (world.get(`clusters/${name}`) !== undefined) return;
  const { url } = world.fleet.members.find((each) => each.name === name)!;
  const id = world.member(name).get("namespaces/kube-system")?.["metadata"].uid;
  await world.apply(cluster(name, { url, id }));
}

function someBinding(world: World, dice: Dice): Fields | undefined {
  const bindings = world.list("resourcebindings");
  return bindings.length === 0 ? undefined : dice.of(bindings);
}

async function remove(world: World, path: string): Promise<void> {
  if (world.get(path) !== undefined) await world.delete(path);
}

async function patch(world: World, path: string, body: object): Promise<void> {
  if (world.get(path) !== undefined) await world.patch(path, body);
}
