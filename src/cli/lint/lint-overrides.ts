import type { Override } from "#api/policy/override-policy.ts";
import { type CompiledSelector, compileSelector } from "#selection/resource-selector.ts";
import type { Finding } from "./finding.ts";
import { affinitiesOf } from "./lint-placements.ts";
import type { ReadPolicy } from "./lint-selectors.ts";
import { mayOverlap } from "./selector-relations.ts";

/** Overrides that change nothing, because no policy propagates what they mean, or none to the clusters that they name. */
export function lintOverride(override: Override, policies: readonly ReadPolicy[]): readonly Finding[] {
  const { metadata, kind, spec } = override;
  const name = `${kind} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name}`;
  const concerned = policies.filter((policy) => mayConcern(override, policy));
  if (concerned.length === 0)
    return [
      {
        code: "override-unmatched",
        severity: "warning",
        where: `${name}: spec.resourceSelectors`,
        why: "no policy propagates anything that it selects",
        advice: "correct its selectors, or add the policy that is missing",
      },
    ];
  const reached = reachedBy(concerned);
  if (reached === "any") return [];
  const rules = (spec.overrideRules ?? []).map(({ targetCluster }, at) => ({
    target: targetCluster,
    field: `spec.overrideRules[${at}].targetCluster`,
  }));
  const targets = rules.length > 0 ? rules : [{ target: spec.targetCluster, field: "spec.targetCluster" }];
  return targets.flatMap(({ target, field }) =>
    (target?.clusterNames ?? [])
      .filter((cluster) => !reached.has(cluster))
      .map(
        (cluster): Finding => ({
          code: "override-untargeted",
          severity: "warning",
          where: `${name}: ${field}`,
          why: `no policy sends what it selects to ${JSON.stringify(cluster)}`,
          advice: "correct the name, or add the cluster to the policy's placement",
        }),
      ),
  );
}

function mayConcern({ metadata, spec }: Override, policy: ReadPolicy): boolean {
  const { namespace } = metadata;
  const own = namespace === undefined ? undefined : { names: new Set([namespace]), prefixes: [] };
  const given = (spec.resourceSelectors ?? []).map(compileSelector);
  const selectors = given.map((each) =>
    own === undefined || each.namespaces !== "any" ? each : { ...each, namespaces: own },
  );
  // what follows a workload may be of any kind in its namespace; without selectors an override means whatever is in its reach
  const anyKind = policy.policy.spec.propagateDeps === true || selectors.length === 0;
  const reach = selectors.length > 0 ? selectors : [{ apiVersion: "", kind: "", namespaces: own ?? ("any" as const) }];
  return policy.selectors.some((other) =>
    reach.some((each) => mayOverlap(anyKind ? onlyNamespaces(each) : each, anyKind ? onlyNamespaces(other) : other)),
  );
}

function onlyNamespaces({ namespaces }: CompiledSelector): CompiledSelector {
  return { apiVersion: "", kind: "", namespaces };
}

/** The clusters that some policies name; any, where one of them chooses otherwise than by name. */
function reachedBy(policies: readonly ReadPolicy[]): ReadonlySet<string> | "any" {
  const names = new Set<string>();
  for (const { policy } of policies) {
    const affinities = affinitiesOf(policy.spec.placement ?? {});
    if (affinities.length === 0) return "any";
    for (const { affinity } of affinities) {
      if ((affinity.clusterNames ?? []).length === 0) return "any";
      for (const name of affinity.clusterNames ?? []) if (!affinity.exclude?.includes(name)) names.add(name);
    }
  }
  return names;
}
