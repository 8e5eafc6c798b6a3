import { isJsonObject, jsonEquals, RawNumber, stringifyJson } from "#base/json.ts";
import type { Answer, ComparingRules } from "./vector.ts";

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Where the answer differs from the expected one, a line for each place; empty when it is right. */
export function differences(expected: Answer, actual: Answer, rules: ComparingRules = {}): string[] {
  if (expected.err !== undefined || actual.err !== undefined) return failureDifferences(expected, actual, rules);
  const [left, right] = [expected.out, actual.out].map((out) => inOneForm(out, rules));
  const found: string[] = [];
  collect({ path: "", expected: left, actual: right }, rules, found);
  return found;
}

function failureDifferences(expected: Answer, actual: Answer, rules: ComparingRules): string[] {
  if (expected.err === undefined) return [`expected ${show(expected.out)}, failed with ${show(actual.err)}`];
  if (actual.err === undefined) return [`expected to fail with ${show(expected.err)}, got ${show(actual.out)}`];
  if (rules.failureText !== true) return [];
  const found: string[] = [];
  if (expected.err !== actual.err) found.push(`err: expected ${show(expected.err)}, got ${show(actual.err)}`);
  if (expected.errClass !== undefined && expected.errClass !== actual.errClass) {
    found.push(`errClass: expected ${expected.errClass}, got ${actual.errClass}`);
  }
  return found;
}

function inOneForm(out: unknown, { canonical, lenient }: ComparingRules): unknown {
  const formed = canonical === undefined ? out : canonical(out);
  return lenient === undefined ? formed : withoutEmpty(formed, { zeros: lenient === "counters" });
}

/** Rule 3: members that say nothing are left out, from the leaves up; the items of a list stay. */
export function withoutEmpty(value: unknown, options: { readonly zeros: boolean }): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item, options));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value)
    .map(([key, member]) => [key, withoutEmpty(member, options)] as const)
    .filter(([, member]) => !saysNothing(member, options));
  return Object.fromEntries(kept);
}

/** A copy without members that are null; the items of a list stay. */
export function withoutNulls<T>(value: T): T;
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutNulls(member)]));
}

function saysNothing(value: unknown, { zeros }: { readonly zeros: boolean }): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return zeros && value === 0;
}

interface Place {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

function collect(place: Place, rules: ComparingRules, found: string[]): void {
  const { path, expected, actual } = place;
  if (matchesPlaceholder(expected, actual, rules) || jsonEquals(expected, actual)) return;
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    expected.forEach((item, index) => {
      collect({ path: `${path}[${index}]`, expected: item, actual: actual[index] }, rules, found);
    });
    return;
  }
  if (isJsonObject(expected) && isJsonObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    for (const key of [...keys].toSorted()) {
      collect({ path: `${path}.${key}`, expected: expected[key], actual: actual[key] }, rules, found);
    }
    return;
  }
  found.push(`${path === "" ? "out" : path}: expected ${show(expected)}, got ${show(actual)}`);
}

function matchesPlaceholder(expected: unknown, actual: unknown, { now }: ComparingRules): boolean {
  if (typeof actual !== "string") return false;
  if (expected === "<now>") return now === undefined ? timestamp.test(actual) : actual === now;
  return expected === "<uuid>" && uuid.test(actual);
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = value instanceof RawNumber ? value.token : stringifyJson(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
