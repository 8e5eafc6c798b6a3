import type { Policy } from "#api/policy/propagation-policy.ts";
import type { ResourceSelector } from "#api/policy/resource-selector.ts";
import { chooseClaimant } from "#selection/choose-claimant.ts";
import { compilePolicy, matchSelectors } from "#selection/policy-match.ts";
import { compileSelector, exactness, matchSelector, type Precision } from "#selection/resource-selector.ts";
import { type SelectableObject, templateOf } from "#selection/template.ts";
import type { VectorAdapter, VectorFunction } from "#test/vectors/vector.ts";

const chooses: VectorFunction = {
  answer: ({ object, policies }: { object: SelectableObject; policies: readonly Policy[] }) => {
    const claimant = chooseClaimant(policies.map(compilePolicy), templateOf(object));
    return { out: { policy: claimant?.policy.metadata.name ?? "" } };
  },
};

export const adapter: VectorAdapter = {
  resourceSelectorPriority: {
    answer: ({ object, selector }: { object: SelectableObject; selector: ResourceSelector }) =>
      shown(matchSelector(compileSelector(selector), templateOf(object)).precision),
  },
  resourceMatchSelectors: {
    answer: ({ object, selectors }: { object: SelectableObject; selectors: readonly ResourceSelector[] }) => {
      const policy = compilePolicy({ spec: { resourceSelectors: selectors } });
      return shown(matchSelectors(policy, templateOf(object)).precision);
    },
  },
  choosePropagationPolicy: chooses,
  chooseClusterPropagationPolicy: chooses,
};

function shown(precision: Precision) {
  return { out: { matches: precision !== "None", precision, priority: exactness(precision) } };
}
