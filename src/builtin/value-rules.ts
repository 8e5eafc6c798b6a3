import { dnsLabelErrors, patternMessage, qualifiedNameErrors } from "#api/meta/names.ts";
import { type FieldError, invalid, namedText, notSupported, required } from "#base/field-error.ts";
import { jsonEquals, RawNumber } from "#base/json.ts";
import { goValue } from "./go-findings.ts";

/**
 * Rules that many kinds share. Each answers with the errors of one value at a path; an absent value has none unless the
 * rule says so.
 *
 * Upstream: k8s.io/apimachinery pkg/util/validation and k8s.io/kubernetes pkg/apis/core/validation.
 */

/** A number that counts something. */
export function nonNegative(path: string, value: unknown): FieldError[] {
  const isNumber = typeof value === "number" || value instanceof RawNumber;
  return isNumber && Number(value) < 0 ? [invalid(path, value, "must be greater than or equal to 0")] : [];
}

/** The same for several members of one object. */
export function nonNegativeMembers(path: string, holder: object, names: readonly string[]): FieldError[] {
  return names.flatMap((name) => nonNegative(`${path}.${name}`, (holder as Record<string, unknown>)[name]));
}

/** A value of a closed list; the list is shown in the order given. */
export function oneOf(path: string, value: unknown, allowed: readonly string[]): FieldError[] {
  if (value === undefined || value === null || value === "") return [];
  return allowed.includes(String(value)) ? [] : [notSupported(path, namedText(value), allowed)];
}

/** A value of a closed list that may be left out, but not empty. */
export function oneOfGiven(path: string, value: unknown, allowed: readonly string[]): FieldError[] {
  return value == null || allowed.includes(String(value)) ? [] : [notSupported(path, namedText(value), allowed)];
}

/** A value of a closed list that must be there. */
export function requiredOneOf(path: string, value: unknown, allowed: readonly string[]): FieldError[] {
  return isMissing(value) ? [required(path)] : oneOf(path, value, allowed);
}

/** A text that must be there. */
export function requiredText(path: string, value: unknown): FieldError[] {
  return isMissing(value) ? [required(path)] : [];
}

/** The rule that texts and lists of an object must be there. */
export function requiredMembers(
  ...names: readonly string[]
): (holder: Readonly<Record<string, unknown>>, path: string) => FieldError[] {
  return (holder, path) =>
    names.flatMap((name) => {
      const value = holder[name];
      return isMissing(value) || (Array.isArray(value) && value.length === 0) ? [required(`${path}.${name}`)] : [];
    });
}

/** Whether Go would see the zero value of a string. */
export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** A text by one of the rules of names; each broken rule is one error. */
export function textErrors(path: string, value: string, rule: (value: string) => readonly string[]): FieldError[] {
  return rule(value).map((message) => invalid(path, value, message));
}

/** An optional text by a rule of names. */
export function optionalText(path: string, value: unknown, rule: (value: string) => readonly string[]): FieldError[] {
  return isMissing(value) ? [] : textErrors(path, String(value), rule);
}

/** A text by a rule of names that may be left out, but not empty. */
export function givenText(path: string, value: unknown, rule: (value: string) => readonly string[]): FieldError[] {
  return value == null ? [] : textErrors(path, String(value), rule);
}

/** A DNS label that must be there (names of containers, volumes). */
export function requiredLabel(path: string, value: unknown): FieldError[] {
  return isMissing(value) ? [required(path)] : textErrors(path, String(value), dnsLabelErrors);
}

/** A member that an update may not change. */
export function immutable(path: string, value: unknown, old: unknown): FieldError[] {
  return sameValue(value, old) ? [] : [invalid(path, value ?? null, "field is immutable")];
}

/** The same of a text of a closed list. */
export function immutableName(path: string, value: unknown, old: unknown): FieldError[] {
  return sameValue(value, old) ? [] : [invalid(path, namedText(value ?? null), "field is immutable")];
}

/** The same of a value that messages show in the form of an internal Go type. */
export function immutableIn(
  type: string,
  path: string,
  { value, old }: { value: unknown; old: unknown },
): FieldError[] {
  return sameValue(value, old) ? [] : [invalid(path, goValue(type, value), "field is immutable")];
}

/** Equality as Kubernetes means it: absent, null, empty list and empty map are the same. */
export function sameValue(a: unknown, b: unknown): boolean {
  return (isEmpty(a) && isEmpty(b)) || jsonEquals(a, b);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) && value.length === 0;
}

const portRange = "must be between 1 and 65535, inclusive";

/** A port number that must be there: zero counts as out of range. */
export function portNumber(path: string, value: unknown): FieldError[] {
  const port = value ?? 0;
  return typeof port === "number" && port >= 1 && port <= 65535 ? [] : [invalid(path, port, portRange)];
}

/** What is wrong with the name of a port. */
export function portNameErrors(name: string): string[] {
  const errors: string[] = [];
  if (name.length > 15) errors.push("must be no more than 15 characters");
  if (!/^[-a-z0-9]+$/.test(name)) errors.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(name)) errors.push("must contain at least one letter (a-z)");
  if (name.includes("--")) errors.push("must not contain consecutive hyphens");
  if (name.startsWith("-") || name.endsWith("-")) errors.push("must not begin or end with a hyphen");
  return errors;
}

/** A port by number or by name. */
export function portNumberOrName(path: string, value: unknown): FieldError[] {
  return typeof value === "string" ? textErrors(path, value, portNameErrors) : portNumber(path, value);
}

const percentPattern = /^[0-9]+%$/;
const percentRule = "a valid percent string must be a numeric string followed by an ending '%'";

/** A count or a percentage, neither below zero. */
export function countOrPercent(path: string, value: unknown): FieldError[] {
  if (typeof value !== "string") return nonNegative(path, value);
  if (percentPattern.test(value)) return [];
  return [invalid(path, namedText(value), patternMessage(percentRule, "[0-9]+%", "1%", "93%"))];
}

/** A percentage of at most one hundred; counts pass. */
export function atMostWhole(path: string, value: unknown): FieldError[] {
  if (typeof value !== "string" || !percentPattern.test(value) || Number.parseInt(value, 10) <= 100) return [];
  return [invalid(path, value, "must not be greater than 100%")];
}

/** The number in a count or a percentage; text that is neither counts as zero, as upstream. */
export function countOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" ? Number.parseInt(value, 10) || 0 : 0;
}

/** What is wrong with a key of a ConfigMap or Secret. */
export function configKeyErrors(key: string): string[] {
  const errors: string[] = [];
  if (key.length > 253) errors.push("must be no more than 253 characters");
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    const rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    errors.push(patternMessage(rule, "[-._a-zA-Z0-9]+", "key.name", "KEY_NAME", "key-name"));
  }
  if (key === "." || key === "..") errors.push(`must not be '${key}'`);
  else if (key.startsWith("..")) errors.push("must not start with '..'");
  return errors;
}

/** A qualified name such as `example.com/foo`. */
export function qualifiedName(path: string, value: unknown): FieldError[] {
  return textErrors(path, String(value ?? ""), qualifiedNameErrors);
}
