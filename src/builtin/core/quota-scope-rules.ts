import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, invalid, namedText, required } from "#base/field-error.ts";
import { isStandardQuotaResource } from "../resource-names.ts";

const ofPods = ["pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];

/** The scopes that a quota may have, with the resources that can be counted in each. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  Terminating: ofPods,
  NotTerminating: ofPods,
  NotBestEffort: ofPods,
  PriorityClass: ofPods,
  CrossNamespacePodAffinity: ofPods,
  BestEffort: ["pods"],
  VolumeAttributesClass: ["persistentvolumeclaims", "requests.storage"],
};
const withoutValues = ["BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity"];
const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

/** What is wrong with the scopes of a quota. */
export function scopeErrors({ hard, scopes: list }: Fields): FieldError[] {
  if ((list ?? []).length === 0) return [];
  const path = "spec.scopes";
  return [
    ...list.flatMap((scope: string) => [
      ...(isKnown(scope) ? [] : [invalid(path, list, "unsupported scope")]),
      ...unsuited(scope, hard).map(() => invalid(path, list, "unsupported scope applied to resource")),
    ]),
    ...conflicts(list).map(() => invalid(path, list, "conflicting scopes")),
  ];
}

/** What is wrong with the scopes that a quota selects. */
export function scopeSelectorErrors({ hard, scopeSelector, scopes: list }: Fields): FieldError[] {
  const requirements: readonly Fields[] = scopeSelector?.matchExpressions ?? [];
  const path = "spec.scopeSelector.matchExpressions";
  const names = requirements.map(({ scopeName }) => scopeName ?? "");
  return [
    ...requirements.flatMap((requirement, index) => [
      ...(isKnown(names[index]) ? [] : [invalid(`${path}.scopeName`, namedText(names[index]), "unsupported scope")]),
      ...unsuited(names[index], hard).map(() =>
        invalid(path, inGoNames(requirements), "unsupported scope applied to resource"),
      ),
      ...operatorErrors(requirement, path),
    ]),
    ...conflicts(names).map(() => invalid(path, list ?? null, "conflicting scopes")),
  ];
}

function operatorErrors({ scopeName, operator = "", values = [] }: Fields, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (withoutValues.includes(scopeName) && operator !== "Exists") {
    const named = ["Terminating", "NotTerminating", "BestEffort", "NotBestEffort"].map(
      (name) => `ResourceQuotaScope${name}`,
    );
    const message = `must be 'Exists' when scope is any of ${named.join(", ")} or ResourceQuotaScopeCrossNamespacePodAffinity`;
    errors.push(invalid(`${path}.operator`, namedText(operator), message));
  }
  if (operator === "In" || operator === "NotIn") {
    const message = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    return values.length > 0 ? errors : [...errors, required(`${path}.values`, message)];
  }
  if (operator === "Exists" || operator === "DoesNotExist") {
    const message = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    return values.length === 0 ? errors : [...errors, invalid(`${path}.values`, values, message)];
  }
  return [...errors, invalid(`${path}.operator`, namedText(operator), "not a valid selector operator")];
}

/** As messages show it. */
function inGoNames(requirements: readonly Fields[]): unknown {
  return {
    MatchExpressions: requirements.map(({ scopeName, operator, values }) => ({
      ScopeName: scopeName ?? "",
      Operator: operator ?? "",
      Values: values ?? null,
    })),
  };
}

function isKnown(scope: string | undefined): boolean {
  return scope !== undefined && Object.hasOwn(scopes, scope);
}

/** The resources of a quota that cannot be counted in a scope. */
function unsuited(scope: string | undefined, hard: Fields | undefined): readonly string[] {
  const suited = scope !== undefined && Object.hasOwn(scopes, scope) ? scopes[scope] : undefined;
  if (suited === undefined) return [];
  return Object.keys(hard ?? {}).filter((name) => isStandardQuotaResource(name) && !suited.includes(name));
}

function conflicts(names: readonly string[]): readonly unknown[] {
  return opposites.filter((pair) => pair.every((scope) => names.includes(scope)));
}
