import { isReservedNamespace } from "#api/cluster/namespaces.ts";
import type { LabelRequirement, LabelRequirements } from "#api/meta/label-selector.ts";
import { matchesNamespace } from "#selection/namespace-pattern.ts";
import type { CompiledSelector, NamespaceTest, Precision } from "#selection/resource-selector.ts";

/** How exactly a selector means whatever it means. */
export function precisionOf({ name, labels }: CompiledSelector): Exclude<Precision, "None"> {
  if (name !== undefined) return "Name";
  return labels === undefined ? "All" : "LabelSelector";
}

/** Why a selector can match nothing; undefined when it can. */
export function impossible({ apiVersion, namespaces, labels }: CompiledSelector): string | undefined {
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0]! : "";
  if (group === "karmada.io" || group.endsWith(".karmada.io"))
    return `${group} is the system's own and never propagated`;
  if (namespaces === "none") return "its namespace is no legal pattern";
  if (namespaces !== "any" && isReserved(namespaces)) return "the system's own namespaces are never propagated";
  if (labels === "none") return "its labelSelector is not valid";
  const key = labels && contradictingKey(labels);
  return key === undefined ? undefined : `no object has a label ${key} that meets all of its requirements`;
}

/** Whether one selector means all that another means. */
export function covers(wide: CompiledSelector, narrow: CompiledSelector): boolean {
  if (wide.apiVersion !== narrow.apiVersion || wide.kind !== narrow.kind) return false;
  if (!coversNamespaces(wide.namespaces, narrow.namespaces)) return false;
  if (wide.name !== undefined && wide.name !== narrow.name) return false;
  if (wide.labels !== undefined && !coversLabels(wide.labels, narrow)) return false;
  return wide.exclude === undefined || isHarmless(wide.exclude, narrow);
}

/** Whether two selectors may mean one object. False only where that is impossible. */
export function mayOverlap(a: CompiledSelector, b: CompiledSelector): boolean {
  if (a.apiVersion !== b.apiVersion || a.kind !== b.kind) return false;
  if (!overlapNamespaces(a.namespaces, b.namespaces)) return false;
  if (a.name !== undefined && b.name !== undefined && a.name !== b.name) return false;
  const both = [a, b].flatMap(({ labels }) => (labels === undefined || labels === "none" ? [] : labels));
  return contradictingKey(both) === undefined;
}

/** A key of which no value meets all requirements; undefined when some labels may meet them. */
export function contradictingKey(requirements: LabelRequirements): string | undefined {
  const keys = new Set(requirements.map(({ key }) => key));
  return [...keys].find((key) => isUnmeetable(requirements.filter((each) => each.key === key)));
}

const isOneOf = ({ operator }: LabelRequirement) => operator === "=" || operator === "==" || operator === "in";
const isNoneOf = ({ operator }: LabelRequirement) => operator === "!=" || operator === "notin";

function isUnmeetable(requirements: LabelRequirements): boolean {
  const needsPresence = requirements.some(
    (each) => isOneOf(each) || each.operator === "exists" || each.operator === ">" || each.operator === "<",
  );
  if (needsPresence && requirements.some(({ operator }) => operator === "!")) return true;
  const choices = requirements.filter(isOneOf);
  if (choices.length === 0) return false;
  const refused = new Set(requirements.filter(isNoneOf).flatMap(({ values }) => values));
  return !choices[0]!.values.some(
    (value) => !refused.has(value) && choices.every(({ values }) => values.includes(value)),
  );
}

function isReserved(namespaces: Exclude<NamespaceTest, string>): boolean {
  const isOwn = (name: string) => isReservedNamespace(name) || name.startsWith("kube-");
  return [...namespaces.names].every(isOwn) && namespaces.prefixes.every((prefix) => prefix.startsWith("kube-"));
}

function coversNamespaces(wide: NamespaceTest, narrow: NamespaceTest): boolean {
  if (wide === "any" || narrow === "none") return true;
  if (wide === "none" || narrow === "any") return false;
  return (
    [...narrow.names].every((name) => matchesNamespace(wide, name)) &&
    narrow.prefixes.every((prefix) => wide.prefixes.some((each) => prefix.startsWith(each)))
  );
}

function overlapNamespaces(a: NamespaceTest, b: NamespaceTest): boolean {
  if (a === "none" || b === "none") return false;
  if (a === "any" || b === "any") return true;
  return (
    [...a.names].some((name) => matchesNamespace(b, name)) ||
    [...b.names].some((name) => matchesNamespace(a, name)) ||
    a.prefixes.some((left) => b.prefixes.some((right) => left.startsWith(right) || right.startsWith(left)))
  );
}

/** Labels of what is selected by name are not known. */
function coversLabels(wide: LabelRequirements | "none", { name, labels }: CompiledSelector): boolean {
  if (wide === "none" || name !== undefined || labels === undefined) return false;
  if (labels === "none") return true;
  return wide.every((needed) => labels.some((given) => implies(given, needed)));
}

function implies(given: LabelRequirement, needed: LabelRequirement): boolean {
  if (given.key !== needed.key) return false;
  if (isOneOf(given) && isOneOf(needed)) return given.values.every((value) => needed.values.includes(value));
  if (isOneOf(given) && isNoneOf(needed)) return !given.values.some((value) => needed.values.includes(value));
  if (isNoneOf(given) && isNoneOf(needed)) return needed.values.every((value) => given.values.includes(value));
  if (needed.operator === "exists") return isOneOf(given) || given.operator === "exists";
  return given.operator === needed.operator && given.values.join() === needed.values.join();
}

/** Whether what one selector leaves out is nothing that the other means. */
function isHarmless(exclude: NonNullable<CompiledSelector["exclude"]>, narrow: CompiledSelector): boolean {
  if (!overlapNamespaces(exclude.namespaces, narrow.namespaces)) return true;
  if (exclude.name !== undefined && narrow.name !== undefined && exclude.name !== narrow.name) return true;
  const own = narrow.exclude;
  if (own === undefined) return false;
  return coversNamespaces(own.namespaces, exclude.namespaces) && (own.name === undefined || own.name === exclude.name);
}
