import { labelSelectorErrors } from "#api/meta/label-selector.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, invalid, required } from "#base/field-error.ts";
import { isBroken } from "../apps/selected-template.ts";

/** Roles. */
export const roleStrategy: Strategy = strategyOf("namespaced");

/** ClusterRoles, which may also speak of URLs that are no resources, and be put together from others. */
export const clusterRoleStrategy: Strategy = strategyOf("cluster");

type Scope = "namespaced" | "cluster";

function strategyOf(scope: Scope): Strategy {
  return {
    generation: "none",
    unconditionalUpdate: true,
    createOnUpdate: true,
    nameRule: "path-segment",
    applyDefaults: (draft: Draft) => {
      // Go prints a list that is not there as null
      draft.rules ??= null;
    },
    validate: (object: Fields) => [
      ...(object.rules ?? []).flatMap((rule: Fields, index: number) => ruleErrors(rule, `rules[${index}]`, scope)),
      ...(object.aggregationRule == null ? [] : aggregationErrors(object.aggregationRule)),
    ],
  };
}

function ruleErrors(rule: Fields, path: string, scope: Scope): FieldError[] {
  const errors: FieldError[] = [];
  const count = (field: string): number => (rule[field] ?? []).length;
  if (count("verbs") === 0) errors.push(required(`${path}.verbs`, "verbs must contain at least one value"));
  if (count("nonResourceURLs") > 0) {
    const at = `${path}.nonResourceURLs`;
    if (scope === "namespaced") {
      errors.push(invalid(at, rule.nonResourceURLs, "namespaced rules cannot apply to non-resource URLs"));
    }
    if (count("apiGroups") + count("resources") + count("resourceNames") > 0) {
      const message = "rules cannot apply to both regular resources and non-resource URLs";
      errors.push(invalid(at, rule.nonResourceURLs, message));
    }
    return errors;
  }
  if (count("apiGroups") === 0) {
    errors.push(required(`${path}.apiGroups`, "resource rules must supply at least one api group"));
  }
  if (count("resources") === 0) {
    errors.push(required(`${path}.resources`, "resource rules must supply at least one resource"));
  }
  return errors;
}

function aggregationErrors(rule: Fields): FieldError[] {
  const path = "aggregationRule.clusterRoleSelectors";
  const selectors: readonly Fields[] = rule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) {
    return [required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil")];
  }
  return selectors.flatMap((selector, index) => {
    const at = `${path}[${index}]`;
    const broken = isBroken(selector) ? [invalid(at, null, "invalid label selector.")] : [];
    return [...labelSelectorErrors(selector, at), ...broken];
  });
}
