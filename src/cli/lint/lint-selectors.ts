import type { Policy } from "#api/policy/propagation-policy.ts";
import { jsonEquals } from "#base/json.ts";
import { priorityOf } from "#selection/choose-claimant.ts";
import { compilePolicy } from "#selection/policy-match.ts";
import { type CompiledSelector, exactness } from "#selection/resource-selector.ts";
import type { Finding } from "./finding.ts";
import { covers, impossible, mayOverlap, precisionOf } from "./selector-relations.ts";

/** A policy with its selectors as far as they reach, and its name for people. */
export interface ReadPolicy {
  readonly policy: Policy;
  readonly name: string;
  readonly selectors: readonly CompiledSelector[];
  readonly excludes: readonly CompiledSelector[];
}

/** Reads a policy; one of a namespace stays in it, whatever its selectors leave open. */
export function readPolicy(policy: Policy): ReadPolicy {
  const { selectors, excludes } = compilePolicy(policy);
  const { name, namespace } = policy.metadata;
  const own = namespace === undefined ? undefined : { names: new Set([namespace]), prefixes: [] };
  const confined = (each: CompiledSelector) =>
    own === undefined || each.namespaces !== "any" ? each : { ...each, namespaces: own };
  return {
    policy,
    name: `${policy.kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`,
    selectors: selectors.map(confined),
    excludes: excludes.map(confined),
  };
}

/** Policies that can never match, that never get their turn, or that only their names tell apart. */
export function lintSelectors(policies: readonly ReadPolicy[]): readonly Finding[] {
  return policies.flatMap((each, at) => [
    ...unmatchable(each),
    ...shadowed(each, policies),
    ...policies.slice(at + 1).flatMap((other) => ties(each, other)),
  ]);
}

function unmatchable(read: ReadPolicy): readonly Finding[] {
  return read.selectors.flatMap((selector, at): readonly Finding[] => {
    const where = `${read.name}: spec.resourceSelectors[${at}]`;
    const why = impossible(selector) ?? outOfReach(read, selector);
    if (why !== undefined)
      return [{ code: "never-matches", severity: "error", where, why, advice: "correct the selector, or take it out" }];
    if (!isVetoed(read, selector)) return [];
    return [
      {
        code: "excluded-entirely",
        severity: "error",
        where,
        why: "everything it selects is excluded again",
        advice: "narrow the exclude, or take the selector out",
      },
    ];
  });
}

function outOfReach({ policy }: ReadPolicy, { namespaces }: CompiledSelector): string | undefined {
  const { namespace } = policy.metadata;
  if (namespace === undefined || typeof namespaces === "string" || namespaces.names.has(namespace)) return undefined;
  return `a PropagationPolicy is about its own namespace ${namespace} only`;
}

/** Whether a policy leaves out all that one of its selectors means. */
function isVetoed({ excludes }: ReadPolicy, selector: CompiledSelector): boolean {
  const { exclude, ...bare } = selector;
  const own = exclude && { apiVersion: selector.apiVersion, kind: selector.kind, ...exclude };
  return excludes.some((each) => covers(each, selector)) || (own !== undefined && covers(own, bare));
}

function shadowed(read: ReadPolicy, policies: readonly ReadPolicy[]): readonly Finding[] {
  const meant = read.selectors.filter((each) => impossible(each) === undefined && !isVetoed(read, each));
  if (meant.length === 0) return [];
  const before = meant.map((selector) => policies.find((other) => other !== read && takesAll(other, read, selector)));
  if (before.includes(undefined)) return [];
  const names = [...new Set(before.map((each) => each!.name))].toSorted();
  return [
    {
      code: "shadowed",
      severity: "warning",
      where: read.name,
      why: `${names.join(" and ")} ${names.length === 1 ? "matches" : "match"} all it matches and ${names.length === 1 ? "comes" : "come"} first: it claims nothing new`,
      advice: "raise its spec.priority, narrow the other, or delete it",
    },
  ];
}

/** Whether another policy claims everything that a selector means before its own policy does. */
function takesAll(other: ReadPolicy, read: ReadPolicy, selector: CompiledSelector): boolean {
  const leavesOut = other.excludes.filter((each) => mayOverlap(each, selector));
  if (leavesOut.some((each) => !read.excludes.some((own) => covers(own, each)))) return false;
  return other.selectors.some((each) => covers(each, selector) && order(other, read, [each, selector]) < 0);
}

/** Negative when the first comes first by more than its name, 0 when only names tell them apart. */
function order(a: ReadPolicy, b: ReadPolicy, [left, right]: readonly [CompiledSelector, CompiledSelector]): number {
  const scope = Number(a.policy.metadata.namespace === undefined) - Number(b.policy.metadata.namespace === undefined);
  const priority = priorityOf(b.policy) - priorityOf(a.policy);
  return scope || priority || exactness(precisionOf(right)) - exactness(precisionOf(left));
}

function ties(a: ReadPolicy, b: ReadPolicy): readonly Finding[] {
  const pair = a.selectors
    .flatMap((left) => b.selectors.map((right) => [left, right] as const))
    .find(
      ([left, right]) =>
        order(a, b, [left, right]) === 0 &&
        mayOverlap(left, right) &&
        !isVetoed(b, left) &&
        !isVetoed(a, right) &&
        !isVetoed(a, left) &&
        !isVetoed(b, right),
    );
  if (pair === undefined) return [];
  const [first, second] = a.policy.metadata.name < b.policy.metadata.name ? [a, b] : [b, a];
  const isSame = covers(pair[0], pair[1]) && covers(pair[1], pair[0]);
  const contradicts = isSame && !jsonEquals(wishes(a.policy), wishes(b.policy));
  const what = isSame ? "match the same" : "may match one object";
  return [
    {
      code: contradicts ? "contradiction" : "tie",
      severity: contradicts ? "error" : "warning",
      where: second.name,
      why: `it and ${first.name} ${what} with equal priority${contradicts ? " and want different things" : ""}: only the first name wins`,
      advice: "give one of them another spec.priority",
    },
  ];
}

/** What a policy wants of what it claims. */
function wishes({ spec }: Policy): unknown {
  const { placement, suspension, propagateDeps, failover, conflictResolution } = spec;
  return [placement, suspension, propagateDeps, failover, conflictResolution ?? "Abort"].map((each) => each ?? null);
}
