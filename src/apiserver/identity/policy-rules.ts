/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** What somebody wants to do. */
export type Attributes =
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource?: string | undefined;
      readonly namespace?: string | undefined;
      readonly name?: string | undefined;
    }
  | { readonly verb: string; readonly path: string };

/** Whether one rule allows it. Upstream: k8s.io/kubernetes plugin/pkg/auth/authorizer/rbac RuleAllows. */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!matches(rule.verbs, attributes.verb)) return false;
  if ("path" in attributes) return (rule.nonResourceURLs ?? []).some((pattern) => urlMatches(pattern, attributes.path));
  const { group, resource, subresource, name } = attributes;
  return (
    matches(rule.apiGroups, group) &&
    resourceMatches(rule.resources ?? [], resource, subresource) &&
    ((rule.resourceNames ?? []).length === 0 || (name !== undefined && (rule.resourceNames ?? []).includes(name)))
  );
}

/** Whether every single thing that `wanted` allows is allowed by one of `held`. */
export function rulesCover(held: readonly PolicyRule[], wanted: PolicyRule): boolean {
  return atoms(wanted).every((atom) => held.some((rule) => ruleAllows(rule, atom)));
}

function* combinations(rule: PolicyRule): Generator<Attributes> {
  for (const verb of rule.verbs ?? []) {
    for (const path of rule.nonResourceURLs ?? []) yield { verb, path };
    for (const group of rule.apiGroups ?? []) {
      for (const full of rule.resources ?? []) {
        const [resource, subresource] = full.split("/");
        const names = (rule.resourceNames ?? []).length === 0 ? [undefined] : (rule.resourceNames ?? []);
        for (const name of names) yield { verb, group, resource: resource!, subresource, name };
      }
    }
  }
}

function atoms(rule: PolicyRule): Attributes[] {
  return [...combinations(rule)];
}

function matches(allowed: readonly string[] | undefined, value: string): boolean {
  return allowed !== undefined && (allowed.includes("*") || allowed.includes(value));
}

function resourceMatches(allowed: readonly string[], resource: string, subresource: string | undefined): boolean {
  const full = subresource === undefined || subresource === "" ? resource : `${resource}/${subresource}`;
  if (allowed.includes("*") || allowed.includes(full)) return true;
  return subresource !== undefined && subresource !== "" && allowed.includes(`*/${subresource}`);
}

function urlMatches(pattern: string, path: string): boolean {
  return pattern === "*" || pattern === path || (pattern.endsWith("*") && path.startsWith(pattern.slice(0, -1)));
}
