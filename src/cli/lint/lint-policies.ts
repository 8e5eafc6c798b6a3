import type { Cluster } from "#api/cluster/cluster.ts";
import type { Override } from "#api/policy/override-policy.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import type { Finding } from "./finding.ts";
import { lintOverride } from "./lint-overrides.ts";
import { lintPlacement } from "./lint-placements.ts";
import { lintSelectors, type ReadPolicy, readPolicy } from "./lint-selectors.ts";

export interface LintFacts {
  readonly policies: readonly Policy[];
  readonly overrides: readonly Override[];
  /** The clusters that have joined; undefined when nobody knows. */
  readonly clusters: readonly Cluster[] | undefined;
  /** Gate StaticPolicy: every policy is static. */
  readonly allStatic?: boolean;
}

/** All that is wrong or probably not meant, errors first, then by place. */
export function lintPolicies({ policies, overrides, clusters, allStatic = false }: LintFacts): readonly Finding[] {
  const read = policies.map(readPolicy);
  const findings = [
    ...twice(read),
    ...lintSelectors(read),
    ...read.flatMap((each) => [...lintPlacement(each, clusters), ...lintStatic(each, allStatic)]),
    ...overrides.flatMap((override) => lintOverride(override, read)),
  ];
  return findings.toSorted((a, b) =>
    a.severity === b.severity ? compare(a.where + a.code, b.where + b.code) : a.severity === "error" ? -1 : 1,
  );
}

function twice(policies: readonly ReadPolicy[]): readonly Finding[] {
  const names = policies.map(({ name }) => name);
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].map((where) => ({
    code: "twice",
    severity: "error",
    where,
    why: "it is given more than once",
    advice: "keep one of them: the last that is applied wins",
  }));
}

/** What a static policy says waits for its user: some of it nobody would want to wait. */
function lintStatic({ policy, name }: ReadPolicy, allStatic: boolean): readonly Finding[] {
  const { activationPreference, suspension, preemption } = policy.spec;
  if (activationPreference !== "Lazy" && !allStatic) return [];
  const isSuspended = suspension !== undefined && Object.keys(suspension).length > 0;
  return [
    ...(isSuspended
      ? [
          {
            code: "static-suspended",
            severity: "warning",
            where: `${name}: spec.suspension`,
            why: "the policy is static: to suspend or resume by it takes effect on what runs only when each resource is edited or reconciled",
            advice:
              "run 'flotilla reconcile --policy' after each change of it, or leave activationPreference out while you need it",
          } as const,
        ]
      : []),
    ...(preemption === "Always"
      ? [
          {
            code: "static-preemption",
            severity: "warning",
            where: `${name}: spec.preemption`,
            why: "the policy is static: it takes nothing over by itself, and needs no preemption when a resource is edited",
            advice: "take preemption out, or activationPreference",
          } as const,
        ]
      : []),
  ];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
