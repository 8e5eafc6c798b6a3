import { type WorkloadRebalancer, WorkloadRebalancers } from "#api/apps/workload-rebalancer.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf } from "#api/meta/resource-id.ts";
import { bindingNameOf } from "#api/work/derived-names.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import type { Client } from "#client/client.ts";
import type { Controller } from "#runtime/controller.ts";
import type { Change, Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import {
  decideRebalance,
  type RebalancedWorkload,
  type RebalanceFacts,
  type RebalancerStatus,
  type RebalanceStep,
  type Trigger,
  untriedWorkloads,
  withoutResults,
  workloadKey,
} from "./decide-rebalance.ts";

export interface RebalancerNeeds {
  readonly client: Client;
  readonly rebalancers: Informer<ApiObject>;
  readonly clock: Clock;
}

const rebalancers = resourceOf(WorkloadRebalancers);

/** Asks the scheduler for a fresh schedule of every workload that a WorkloadRebalancer names, and says on it what came of each. */
export function rebalancerController(needs: RebalancerNeeds): Controller<RebalanceFacts, RebalanceStep> {
  const { client, clock } = needs;
  return {
    name: "rebalancer",
    watches: [watchInformer(needs.rebalancers, editedRebalancers)],

    async gather(name) {
      await needs.rebalancers.whenSynced();
      const rebalancer = needs.rebalancers.get({ name }) as unknown as WorkloadRebalancer | undefined; // the informer's kind
      if (rebalancer === undefined) return undefined;
      const found = await Promise.all(
        untriedWorkloads(rebalancer).map(
          async (workload) => [workloadKey(workload), await bindingOf(client, workload)] as const,
        ),
      );
      const bindings = new Map(found.flatMap(([key, binding]) => (binding === undefined ? [] : [[key, binding]])));
      return { rebalancer, bindings, now: formatTime(clock.nowMs()) };
    },

    decide: decideRebalance,

    async apply(step, { rebalancer }) {
      if (step.do === "rebalance") return rebalance(client, rebalancer, step);
      const { metadata } = rebalancer;
      const { uid, resourceVersion } = metadata;
      await client.delete(rebalancers, keyOf({ metadata }), { preconditions: { uid, resourceVersion } });
    },
  };
}

/** Read from the server: that a binding is missing is final, so no cache may be asked. */
async function bindingOf(client: Client, { kind, namespace, name }: RebalancedWorkload): Promise<Binding | undefined> {
  const home = namespace === undefined || namespace === "" ? undefined : namespace;
  const key = { name: bindingNameOf({ kind, name }), ...(home === undefined ? {} : { namespace: home }) };
  return (await client.get(resourceOf(ResourceBindings.kindFor(home)), key)) as unknown as Binding | undefined; // the resource's kind
}

interface Rebalance {
  readonly triggers: readonly Trigger[];
  readonly status: RebalancerStatus | undefined;
}

/** One binding that cannot be written keeps no other from being tried; its workload is tried again. */
async function rebalance(
  client: Client,
  rebalancer: WorkloadRebalancer,
  { triggers, status }: Rebalance,
): Promise<void> {
  const failures = new Map<string, unknown>();
  for (const { workload, binding, at } of triggers) {
    try {
      await trigger(client, binding, at);
    } catch (error: unknown) {
      failures.set(workload, error);
    }
  }
  if (status !== undefined) {
    const said = failures.size === 0 ? status : withoutResults(status, new Set(failures.keys()));
    await client.updateStatus(rebalancers, { ...rebalancer, status: said } as unknown as ApiObject); // a rebalancer
  }
  for (const error of failures.values()) throw error;
}

async function trigger(client: Client, { metadata }: Binding, at: string): Promise<void> {
  await client.patch(resourceOf(ResourceBindings.kindFor(metadata.namespace)), keyOf({ metadata }), {
    type: "merge",
    patch: { metadata: { resourceVersion: metadata.resourceVersion }, spec: { rescheduleTriggeredAt: at } },
  });
}

/** A rebalancer is looked at when its spec changed; its status is our own doing, but may start the time that it stays. */
function editedRebalancers({ before, after }: Change<ApiObject>): readonly string[] {
  if (after === undefined) return [];
  const same =
    before !== undefined &&
    before.metadata.generation === after.metadata.generation &&
    finishTimeOf(before) === finishTimeOf(after);
  return same ? [] : [after.metadata.name];
}

function finishTimeOf(object: ApiObject): string | undefined {
  return (object as unknown as WorkloadRebalancer).status?.finishTime; // the informer's kind
}
