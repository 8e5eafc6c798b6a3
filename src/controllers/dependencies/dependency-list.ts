import { type LabelSelector, labelSelectorErrors } from "#api/meta/label-selector.ts";
import { byteLength } from "#base/byte-length.ts";
import { compareBytes } from "#base/byte-order.ts";
import { fieldErrorMessage } from "#base/field-error.ts";
import { isJsonObject, stringifyJson } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";
import type { Dependency } from "#interpreter/dependencies.ts";
import type { Interpretation } from "#interpreter/interpretation.ts";
import { type Referrer, whyNotToFollow } from "./may-follow.ts";

/** What a workload needs, as its binding records it. */
export interface DependencyList {
  /** Sorted, each once. */
  readonly dependencies: readonly Dependency[];
  /** What was named and must not follow, each with the reason. */
  readonly leftOut: readonly string[];
  /** The annotation: the same dependencies give the same text. */
  readonly text: string;
}

const maxDependencies = 1_000;
/** All annotations of an object together may have 256 KiB. */
const maxTextBytes = 192 * 1024;

/** The list that a binding records of what was found; refused as a whole where it is too large or one of it means nothing. */
export function listDependencies(found: readonly Dependency[], referrer: Referrer): Interpretation<DependencyList> {
  const { namespace } = referrer;
  const placed = found.map((each) =>
    each.namespace === undefined && namespace !== undefined ? { ...each, namespace } : each,
  );
  const problem = placed.map(problemOf).find((each) => each !== undefined);
  if (problem !== undefined) return { ok: false, why: "faulty", message: problem };
  const refused = placed.map((each) => whyNotToFollow(each, referrer));
  const leftOut = placed.flatMap((each, index) =>
    refused[index] === undefined ? [] : [`${printDependency(each)} (${refused[index]})`],
  );
  const texts = new Map(
    placed.filter((_, index) => refused[index] === undefined).map((each) => [stringifyJson(inOrder(each)), each]),
  );
  const sorted = [...texts].toSorted(([textA, a], [textB, b]) => compare(a, b) || compareBytes(textA, textB));
  const text = `[${sorted.map(([each]) => each).join(",")}]`;
  if (sorted.length > maxDependencies || byteLength(text) > maxTextBytes) {
    const message = `there are ${sorted.length} dependencies, at most ${maxDependencies} in ${maxTextBytes} bytes are possible`;
    return { ok: false, why: "faulty", message };
  }
  const dependencies = sorted.map(([, each]) => inOrder(each));
  return { ok: true, value: { dependencies, leftOut: [...new Set(leftOut)].toSorted(compareBytes), text } };
}

/** What an annotation records; anything that is no dependency counts for nothing. */
export function readDependencyList(text: string | undefined): readonly Dependency[] {
  if (text === undefined) return [];
  let value: unknown;
  try {
    ({ value } = parseJson(text));
  } catch {
    return []; // written by hand; the next look at the workload writes it anew
  }
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, maxDependencies)
    .filter((each): each is Dependency => isJsonObject(each) && problemOf(each as unknown as Dependency) === undefined);
}

/** A dependency as people read it: `ConfigMap shop/settings`. */
export function printDependency({ kind, namespace, name }: Dependency): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name ?? "by labels"}`;
}

const typeName = /^[A-Za-z][A-Za-z0-9]{0,62}$/;
const apiVersionName = /^[a-z0-9][a-z0-9./-]{0,316}$/;

/** What is wrong with a dependency; its fields come from scripts and annotations and may be of any type. */
function problemOf(dependency: Dependency): string | undefined {
  const { apiVersion, kind, namespace, name, labelSelector } = dependency;
  if (typeof apiVersion !== "string" || !apiVersionName.test(apiVersion))
    return `a dependency has no apiVersion: ${shown(dependency)}`;
  if (typeof kind !== "string" || !typeName.test(kind)) return `a dependency has no kind: ${shown(dependency)}`;
  if (namespace !== undefined && !isShortText(namespace))
    return `the namespace of a dependency is no name: ${shown(dependency)}`;
  if (name !== undefined) return isShortText(name) ? undefined : `a dependency has no name: ${shown(dependency)}`;
  return selectorProblem(labelSelector);
}

function isShortText(value: unknown): boolean {
  return typeof value === "string" && value !== "" && value.length <= 253;
}

function selectorProblem(selector: LabelSelector | undefined): string | undefined {
  if (!isJsonObject(selector)) return "a dependency has neither a name nor a labelSelector";
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const isShaped =
    isJsonObject(matchLabels) &&
    Object.values(matchLabels).every((value) => typeof value === "string") &&
    Array.isArray(matchExpressions) &&
    matchExpressions.every(isExpression);
  if (!isShaped) return `the labelSelector of a dependency is not one: ${shown(selector)}`;
  const [error] = labelSelectorErrors(selector as LabelSelector, "labelSelector");
  return error === undefined ? undefined : fieldErrorMessage(error);
}

function isExpression(expression: unknown): boolean {
  if (!isJsonObject(expression)) return false;
  const { key, operator, values = [] } = expression;
  const areTexts = Array.isArray(values) && values.every((value) => typeof value === "string");
  return typeof key === "string" && typeof operator === "string" && areTexts;
}

/** The fields that count, in the order in which Karmada writes them; a name makes a selector pointless. */
function inOrder({ apiVersion, kind, namespace, name, labelSelector }: Dependency): Dependency {
  return {
    apiVersion,
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? { labelSelector: labelSelector ?? {} } : { name }),
  };
}

function compare(a: Dependency, b: Dependency): number {
  return (
    compareBytes(a.apiVersion, b.apiVersion) ||
    compareBytes(a.kind, b.kind) ||
    compareBytes(a.namespace ?? "", b.namespace ?? "") ||
    compareBytes(a.name ?? "", b.name ?? "")
  );
}

function shown(value: unknown): string {
  return stringifyJson(value).slice(0, 200);
}
