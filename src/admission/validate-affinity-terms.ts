import { qualifiedNameErrors } from "#api/meta/names.ts";
import type { ClusterAffinityTerm } from "#api/policy/cluster-affinity.ts";
import type { Placement } from "#api/policy/placement.ts";
import { type FieldError, invalid } from "#base/field-error.ts";
import { clusterAffinityErrors } from "./validate-cluster-affinity.ts";

/** What is wrong with the named groups of clusters of a placement. */
export function affinityTermErrors(placement: Placement, path: string): FieldError[] {
  const terms = placement.clusterAffinities ?? [];
  const seen = new Set<string>();
  return terms.flatMap((term, index) => {
    const place = `${path}[${index}]`;
    const errors = nameErrors(term.affinityName, place);
    if (seen.has(term.affinityName)) {
      errors.push(invalid(path, terms, "each affinity term in a policy must have a unique name"));
    }
    seen.add(term.affinityName);
    return [...errors, ...clusterAffinityErrors(term, place), ...overflowErrors(term, { placement, path: place })];
  });
}

interface TermPlace {
  readonly placement: Placement;
  readonly path: string;
}

/** Overflow needs clusters that can be full, and a division that notices. */
function overflowErrors(term: ClusterAffinityTerm, { placement, path: termPath }: TermPlace): FieldError[] {
  const { overflowAffinities: groups, affinityName } = term;
  if (groups === undefined) return [];
  const path = `${termPath}.overflowAffinities`;
  const errors: FieldError[] = [];
  if (!dividesByCapacity(placement)) {
    const detail = "overflowAffinities can only be used together with dynamic weight or aggregated scheduling";
    errors.push(invalid(path, groups, detail));
  }
  if (choosesAnyCluster(term)) {
    errors.push(invalid(path, groups, "overflowAffinities can only be used together with the inline ClusterAffinity"));
  }
  const seen = new Set([affinityName]);
  for (const [index, group] of groups.entries()) {
    const place = `${path}[${index}]`;
    errors.push(...nameErrors(group.affinityName, `${place}.affinityName`));
    if (seen.has(group.affinityName)) {
      const detail = "overflow affinity name must be unique and must not duplicate the primary group's affinityName";
      errors.push(invalid(`${place}.affinityName`, group.affinityName, detail));
    }
    seen.add(group.affinityName);
    errors.push(...clusterAffinityErrors(group, place));
  }
  return errors;
}

function nameErrors(name: string, path: string): FieldError[] {
  return qualifiedNameErrors(name).map((detail) => invalid(path, name, detail));
}

function dividesByCapacity({ replicaScheduling }: Placement): boolean {
  const { replicaSchedulingType, replicaDivisionPreference, weightPreference } = replicaScheduling ?? {};
  if (replicaSchedulingType !== "Divided") return false;
  return replicaDivisionPreference === "Aggregated" || Boolean(weightPreference?.dynamicWeight);
}

function choosesAnyCluster({ labelSelector, fieldSelector, clusterNames = [], exclude = [] }: ClusterAffinityTerm) {
  return (
    labelSelector === undefined && fieldSelector === undefined && clusterNames.length === 0 && exclude.length === 0
  );
}
