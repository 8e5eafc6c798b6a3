import {
  type LabelRequirements,
  type LabelSelector,
  labelRequirementsOf,
  labelSelectorErrors,
  matchesLabels,
} from "#api/meta/label-selector.ts";
import type { ResourceExclusion, ResourceSelector } from "#api/policy/resource-selector.ts";
import { matchesNamespace, type NamespacePattern, parseNamespacePattern } from "./namespace-pattern.ts";
import type { Template } from "./template.ts";

/** How exactly a selector means a template; a later one is more exact. */
export const precisions = ["None", "All", "LabelSelector", "Name"] as const;
export type Precision = (typeof precisions)[number];

/** The part of a selector that a template fails on. */
export type SelectorPart = "apiVersion" | "kind" | "namespace" | "name" | "labelSelector" | "exclude";

/** Whether and how exactly a selector means a template, or on which of its parts the template fails. */
export type SelectorMatch =
  | { readonly precision: "None"; readonly failedOn: SelectorPart }
  | { readonly precision: Exclude<Precision, "None">; readonly failedOn?: never };

/** Any namespace, those of a pattern, or none at all because the pattern is not legal. */
export type NamespaceTest = "any" | "none" | NamespacePattern;

/** A selector that was read once, to be asked about many templates. */
export interface CompiledSelector {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaces: NamespaceTest;
  readonly name?: string;
  /** Absent when labels do not matter, "none" when the label selector is not valid and hence selects nothing. */
  readonly labels?: LabelRequirements | "none";
  readonly exclude?: { readonly namespaces: NamespaceTest; readonly name?: string };
}

/** Reads a selector: patterns and label selectors are parsed here and nowhere else. */
export function compileSelector(selector: ResourceSelector): CompiledSelector {
  const { apiVersion, kind, name = "", labelSelector, exclude } = selector;
  return {
    apiVersion,
    kind,
    namespaces: readNamespaces(selector.namespace),
    ...(name !== "" && { name }),
    ...(name === "" && labelSelector !== undefined && { labels: readLabels(labelSelector) }),
    ...(exclude !== undefined && { exclude: readExclusion(exclude) }),
  };
}

/** How exactly a selector means a template. A name makes the label selector irrelevant; exclude beats all. */
export function matchSelector(selector: CompiledSelector, template: Template): SelectorMatch {
  if (selector.apiVersion !== template.apiVersion) return { precision: "None", failedOn: "apiVersion" };
  if (selector.kind !== template.kind) return { precision: "None", failedOn: "kind" };
  if (!isInNamespaces(selector.namespaces, template)) return { precision: "None", failedOn: "namespace" };
  const match = matchNameAndLabels(selector, template);
  if (match.failedOn !== undefined || selector.exclude === undefined) return match;
  return excludes(selector.exclude, template) ? { precision: "None", failedOn: "exclude" } : match;
}

/** The place of a precision in their order: 0 for none, 3 for a name. */
export function exactness(precision: Precision): number {
  return precisions.indexOf(precision);
}

/** A label, as `key=value`, that whatever is selected must have: what an index tells templates apart by. */
export function tellingLabel({ labels }: CompiledSelector): string | undefined {
  if (labels === undefined || labels === "none") return undefined;
  const telling = labels.find(({ operator, values }) => (operator === "=" || operator === "in") && values.length === 1);
  return telling === undefined ? undefined : `${telling.key}=${telling.values[0]}`;
}

function matchNameAndLabels({ name, labels }: CompiledSelector, template: Template): SelectorMatch {
  if (name !== undefined) {
    return name === template.name ? { precision: "Name" } : { precision: "None", failedOn: "name" };
  }
  if (labels === undefined) return { precision: "All" };
  const selected = labels !== "none" && matchesLabels(labels, template.labels);
  return selected ? { precision: "LabelSelector" } : { precision: "None", failedOn: "labelSelector" };
}

function readNamespaces(text: string | undefined): NamespaceTest {
  if (text === undefined || text === "") return "any";
  // one name is compared as it stands, legal or not, as Karmada does
  if (!/[*,]/.test(text)) return { names: new Set([text.trim()]), prefixes: [] };
  const pattern = parseNamespacePattern(text);
  return "problem" in pattern ? "none" : pattern;
}

function isInNamespaces(namespaces: NamespaceTest, { namespace = "" }: Template): boolean {
  if (typeof namespaces === "string") return namespaces === "any";
  return matchesNamespace(namespaces, namespace);
}

function readLabels(selector: LabelSelector): LabelRequirements | "none" {
  return labelSelectorErrors(selector, "").length > 0 ? "none" : labelRequirementsOf(selector);
}

/** An exclusion that names neither excludes nothing: admission refuses it. */
function readExclusion({ namespace = "", name = "" }: ResourceExclusion): NonNullable<CompiledSelector["exclude"]> {
  if (namespace === "" && name === "") return { namespaces: "none" };
  return { namespaces: readNamespaces(namespace), ...(name !== "" && { name }) };
}

function excludes({ namespaces, name }: NonNullable<CompiledSelector["exclude"]>, template: Template): boolean {
  return isInNamespaces(namespaces, template) && (name === undefined || name === template.name);
}
