import { clusterOfExecutionNamespace } from "#api/cluster/namespaces.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { keyOf, printKey } from "#api/meta/resource-id.ts";
import { appliedCondition, policyPendingCondition, scheduledCondition } from "#api/work/condition-reasons.ts";
import { isHeldBack } from "#api/work/released-clusters.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { Work } from "#api/work/work.ts";

/** One thing on the way of a template to its members. */
export interface TreeNode {
  readonly kind: string;
  readonly name: string;
  /** How it fares, in a few words; the first that applies counts for the colour. */
  readonly states: readonly TreeState[];
  readonly children: readonly TreeNode[];
}

export interface TreeState {
  readonly text: string;
  readonly is: "well" | "waiting" | "wrong" | "neutral";
}

export interface TreeFacts {
  readonly template: ApiObject;
  readonly policy: ApiObject | undefined;
  readonly binding: Binding | undefined;
  readonly works: readonly Work[];
  /** Other templates that follow this one, with their own trees. */
  readonly followers: readonly TreeFacts[];
}

/** A template, the policy that claims it, its binding, its works, and what the members report, with their health. */
export function treeOf(facts: TreeFacts): TreeNode {
  const { template, policy, binding, works, followers } = facts;
  return {
    kind: template.kind,
    name: printKey(keyOf(template)),
    states: templateStates(facts),
    children: [
      ...(policy === undefined ? [] : [leaf(policy, [])]),
      ...(binding === undefined
        ? []
        : [
            {
              ...leaf(binding as unknown as ApiObject, bindingStates(binding)),
              children: works
                .toSorted((a, b) => (a.metadata.namespace! < b.metadata.namespace! ? -1 : 1))
                .map((work) => workNode(work, facts)),
            },
          ]),
      ...followers.map(treeOf),
    ],
  };
}

function templateStates({ policy, binding }: TreeFacts): readonly TreeState[] {
  if (binding !== undefined) return [];
  return [{ is: "waiting", text: policy === undefined ? "no policy claims it" : "not bound yet" }];
}

function bindingStates({ spec, status }: Binding): readonly TreeState[] {
  const condition = (type: string) => status?.conditions?.find((each) => each.type === type);
  const scheduled = condition(scheduledCondition.type);
  const pending = condition(policyPendingCondition.type);
  return [
    scheduled?.status === "False" ? { is: "wrong", text: `not scheduled: ${scheduled.message}` } : placed(spec),
    ...(pending?.status === "True" ? [{ is: "waiting", text: `pending: ${pending.message}` } as const] : []),
  ];
}

/** Where it goes: by the scheduler's word, or after those who need it. */
function placed({ clusters = [], requiredBy = [] }: Binding["spec"]): TreeState {
  const texts = clusters.map(({ name, replicas }) => (replicas === undefined ? name : `${name}:${replicas}`));
  if (texts.length > 0) return { is: "neutral", text: texts.join(", ") };
  if (requiredBy.length === 0) return { is: "waiting", text: "not scheduled yet" };
  return { is: "neutral", text: `follows ${requiredBy.map(({ name }) => name).join(", ")}` };
}

function workNode(work: Work, { template, binding }: TreeFacts): TreeNode {
  const cluster = clusterOfExecutionNamespace(work.metadata.namespace ?? "") ?? "";
  const applied = work.status?.conditions?.find(({ type }) => type === appliedCondition.type);
  const isTarget = binding?.spec.clusters?.some(({ name }) => name === cluster) ?? false;
  const states: readonly (TreeState | false)[] = [
    work.metadata.deletionTimestamp !== undefined && { is: "waiting", text: "being removed" },
    applied === undefined && { is: "waiting", text: "not sent yet" },
    applied?.status === "True" && { is: "well", text: "applied" },
    applied?.status === "False" && { is: "wrong", text: applied.message },
    work.spec.suspendDispatching === true && { is: "waiting", text: "dispatching suspended" },
    isHeldBack(template.metadata, cluster) && { is: "waiting", text: "change not released here yet" },
    !isTarget && isEvicted(binding, cluster) && { is: "waiting", text: "being evicted" },
  ];
  return {
    ...leaf(
      work as unknown as ApiObject,
      states.filter((state) => state !== false),
    ),
    children: (work.status?.manifestStatuses ?? []).map(({ identifier, status, health }) => ({
      kind: identifier.kind,
      name: `${printKey({ name: identifier.name, ...(identifier.namespace ? { namespace: identifier.namespace } : {}) })} in ${cluster}`,
      states: [healthState(health), ...replicaState(status as Fields | undefined)],
      children: [],
    })),
  };
}

function isEvicted(binding: Binding | undefined, cluster: string): boolean {
  return binding?.spec.gracefulEvictionTasks?.some(({ fromCluster }) => fromCluster === cluster) ?? false;
}

function healthState(health: "Healthy" | "Unhealthy" | "Unknown" | undefined): TreeState {
  if (health === "Healthy") return { is: "well", text: "healthy" };
  return health === "Unhealthy" ? { is: "wrong", text: "unhealthy" } : { is: "waiting", text: "health unknown" };
}

function replicaState(status: Fields | undefined): readonly TreeState[] {
  const { replicas, readyReplicas = 0 } = status ?? {};
  return replicas === undefined ? [] : [{ is: "neutral", text: `${Number(readyReplicas)}/${Number(replicas)} ready` }];
}

function leaf(object: ApiObject, states: readonly TreeState[]): TreeNode {
  return { kind: object.kind, name: printKey(keyOf(object)), states, children: [] };
}
