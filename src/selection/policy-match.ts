import type { Policy } from "#api/policy/propagation-policy.ts";
import type { ExcludeResourceSelector, ResourceSelector } from "#api/policy/resource-selector.ts";
import {
  type CompiledSelector,
  compileSelector,
  exactness,
  matchSelector,
  type Precision,
  type SelectorPart,
} from "./resource-selector.ts";
import type { Template } from "./template.ts";

/** Whether and how exactly a policy means a template, and what decided it. */
export type PolicyMatch =
  | {
      readonly precision: Exclude<Precision, "None">;
      /** The place in `resourceSelectors` of the most exact selector; the first of equals. */
      readonly selector: number;
    }
  | {
      readonly precision: "None";
      /** On what each of `resourceSelectors` failed; empty when the policy as a whole was vetoed. */
      readonly failedOn: readonly SelectorPart[];
      /** The place in `excludeResourceSelectors` of the veto. */
      readonly excludedBy?: number;
    };

/** The selectors of a policy, read once. */
export interface CompiledSelectors {
  readonly selectors: readonly CompiledSelector[];
  readonly excludes: readonly CompiledSelector[];
}

/** A policy with its selectors read once. */
export interface CompiledPolicy<P = Policy> extends CompiledSelectors {
  readonly policy: P;
}

interface SelectingSpec {
  readonly resourceSelectors?: readonly ResourceSelector[];
  readonly excludeResourceSelectors?: readonly ExcludeResourceSelector[];
}

/** Reads the selectors of a policy. */
export function compilePolicy<P extends { readonly spec: SelectingSpec }>(policy: P): CompiledPolicy<P> {
  const { resourceSelectors = [], excludeResourceSelectors = [] } = policy.spec;
  return {
    policy,
    selectors: resourceSelectors.map(compileSelector),
    // one that names neither would veto a whole kind; admission refuses it
    excludes: excludeResourceSelectors
      .map(compileSelector)
      .map((exclude) => (exclude.name === undefined && exclude.namespaces === "any" ? nothing(exclude) : exclude)),
  };
}

/** How exactly the most exact of a policy's selectors means a template. A veto of the policy beats them all. */
export function matchSelectors({ selectors, excludes }: CompiledSelectors, template: Template): PolicyMatch {
  const excludedBy = excludes.findIndex((exclude) => matchSelector(exclude, template).precision !== "None");
  if (excludedBy >= 0) return { precision: "None", failedOn: [], excludedBy };
  let best: Precision = "None";
  let chosen = -1;
  for (let index = 0; index < selectors.length; index++) {
    const { precision } = matchSelector(selectors[index]!, template);
    if (exactness(precision) <= exactness(best)) continue;
    best = precision;
    chosen = index;
  }
  if (best !== "None") return { precision: best, selector: chosen };
  return { precision: "None", failedOn: selectors.flatMap((each) => matchSelector(each, template).failedOn ?? []) };
}

function nothing(selector: CompiledSelector): CompiledSelector {
  return { ...selector, namespaces: "none" };
}
