import type { ExcludeResourceSelector, ResourceExclusion, ResourceSelector } from "#api/policy/resource-selector.ts";
import { type FieldError, invalid, required } from "#base/field-error.ts";
import { parseNamespacePattern } from "#selection/namespace-pattern.ts";

/** The selectors of a policy, and its namespace if it has one. */
export interface SelectingPolicy {
  readonly metadata: { readonly namespace?: string };
  readonly spec: {
    readonly resourceSelectors?: readonly ResourceSelector[];
    readonly excludeResourceSelectors?: readonly ExcludeResourceSelector[];
  };
}

const selectors = "spec.resourceSelectors";
const excluded = "spec.excludeResourceSelectors";

/** What is wrong with the selectors of a policy: a namespaced one stays in its namespace, patterns are legal, excludes name something. */
export function selectorErrors({ metadata, spec }: SelectingPolicy): FieldError[] {
  const { namespace: home = "" } = metadata;
  return [
    ...(spec.resourceSelectors ?? []).flatMap(({ namespace = "", exclude }, index) => {
      const path = `${selectors}[${index}]`;
      return [
        ...namespaceErrors(namespace, { home, path: `${path}.namespace` }),
        ...(exclude === undefined ? [] : exclusionErrors(exclude, `${path}.exclude`)),
      ];
    }),
    ...(spec.excludeResourceSelectors ?? []).flatMap((exclusion, index) =>
      exclusionErrors(exclusion, `${excluded}[${index}]`),
    ),
  ];
}

function namespaceErrors(namespace: string, { home, path }: { readonly home: string; readonly path: string }) {
  if (home === "") return patternErrors(namespace, path);
  if (namespace === home) return [];
  return [invalid(path, namespace, "namespace of resource selector must be the same as the namespace of the policy")];
}

/** An exclude of nothing in particular is a slip: it must not come to mean everything. */
function exclusionErrors({ namespace = "", name = "" }: ResourceExclusion, path: string): FieldError[] {
  if (namespace === "" && name === "") return [required(path, "an exclude must have a namespace or a name")];
  return patternErrors(namespace, `${path}.namespace`);
}

/** A plain name is taken as it stands, even one that no namespace can have, as Karmada does. */
function patternErrors(namespace: string, path: string): FieldError[] {
  if (/^[-\w.]*$/.test(namespace)) return [];
  const pattern = parseNamespacePattern(namespace);
  return "problem" in pattern ? [invalid(path, namespace, pattern.problem)] : [];
}
