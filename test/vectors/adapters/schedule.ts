import type { Cluster } from "#api/cluster/cluster.ts";
import type { Binding, BindingSpec, BindingStatus } from "#api/work/resource-binding.ts";
import { sortedByName } from "#base/byte-order.ts";
import { jsonEquals } from "#base/json.ts";
import { takeSnapshot } from "#scheduling/cluster-facts.ts";
import { decideSchedule } from "#scheduling/decide-schedule.ts";
import { passOnce } from "#scheduling/schedule-pass.ts";
import { differences } from "../compare.ts";
import type { Answer, ComparingRules, RulingException, Vector, VectorAdapter } from "../vector.ts";

const now = "2026-08-01T12:00:00Z";

interface PassInput {
  readonly clusters: readonly Cluster[];
  readonly spec: BindingSpec;
  readonly status?: BindingStatus;
  readonly enableEmptyWorkloadPropagation?: boolean;
}

interface BindingInput {
  readonly clusters: readonly Cluster[];
  readonly binding: Binding;
}

function answerPass({ clusters, spec, status, enableEmptyWorkloadPropagation }: PassInput): Answer {
  const { targets, failure } = passOnce({
    spec,
    clusters: takeSnapshot(clusters),
    affinityName: status?.schedulerObservingAffinityName,
    lastScheduledTime: status?.lastScheduledTime,
    options: { propagateEmptyWorkloads: enableEmptyWorkloadPropagation === true },
  });
  return failure === undefined ? { out: { clusters: targets } } : { err: failure.message, errClass: failure.reason };
}

function answerBinding({ clusters, binding }: BindingInput, options: { clearTargetsWhenNoFit: boolean }): Answer {
  const decided = decideSchedule({ binding, clusters: takeSnapshot(clusters), options, now });
  const { clusters: specClusters, appliedPlacement, status, retry } = decided;
  return { out: { specClusters: specClusters ?? [], status, retry, ...readPlacement(appliedPlacement) } };
}

function readPlacement(text: string | undefined) {
  if (text === undefined) return {};
  try {
    return { appliedPlacement: JSON.parse(text) };
  } catch {
    return { appliedPlacementRaw: text };
  }
}

const bindingRules: ComparingRules = { now, lenient: "counters" };

/**
 * Ruling 19: when no cluster fits, the targets stay, except those that are being deleted. Everything else equals Karmada's
 * answer, and with gate ClearTargetsWhenNoFit all of it does.
 */
const targetsStay: RulingException = {
  ruling: 19,
  explains: (vector: Vector, answer: Answer) => {
    const { binding, clusters } = vector.in as unknown as BindingInput;
    const asKarmada = answerBinding({ binding, clusters }, { clearTargetsWhenNoFit: true });
    if (differences(vector, asKarmada, bindingRules).length > 0) return false;
    const { specClusters, ...rest } = answer.out as { readonly specClusters: Binding["spec"]["clusters"] };
    const leaving = clusters.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    const stayed = (binding.spec.clusters ?? []).filter(
      ({ name }) => !leaving.some(({ metadata }) => metadata.name === name),
    );
    const cleared = { out: { ...rest, specClusters: [] } };
    return jsonEquals(specClusters, stayed) && differences(vector, cleared, bindingRules).length === 0;
  },
};

export const adapter: VectorAdapter = {
  schedule: { typedInput: true, answer: answerPass, rules: { failureText: true } },
  scheduleBinding: {
    typedInput: true,
    answer: (input: BindingInput) => answerBinding(input, { clearTargetsWhenNoFit: false }),
    rules: {
      ...bindingRules,
      canonical: (out) => {
        const { specClusters, ...rest } = out as { readonly specClusters?: { readonly name: string }[] };
        return { ...rest, specClusters: sortedByName(specClusters ?? []) };
      },
    },
    exceptions: [targetsStay],
  },
};
