import { qualifiedNameErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { byteLength } from "#base/byte-length.ts";
import { duplicate, type FieldError, invalid, required, tooLong } from "#base/field-error.ts";
import { isMissing, textErrors } from "../value-rules.ts";

const maxParameters = 512;

/** How many bytes the parameters of a class, or what an attacher tells of a volume, may have together. */
export const maxParameterBytes = 256 * 1024;

/** What is wrong with the name of whoever provides volumes of a class. */
export function provisionerErrors(path: string, name: unknown): FieldError[] {
  return isMissing(name) ? [required(path)] : textErrors(path, String(name).toLowerCase(), qualifiedNameErrors);
}

/** What is wrong with the parameters of a class. */
export function parameterErrors(path: string, parameters: Fields | undefined): FieldError[] {
  const given = parameters ?? {};
  if (Object.keys(given).length > maxParameters) return [tooLong(path, maxParameters)];
  return [
    ...(Object.hasOwn(given, "") ? [invalid(path, "", "field can not be empty.")] : []),
    ...(bytesOf(given) > maxParameterBytes ? [tooLong(path, maxParameterBytes)] : []),
  ];
}

/** The bytes of all keys and values of a map of texts. */
export function bytesOf(map: Readonly<Record<string, unknown>>): number {
  return Object.entries(map).reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(String(value)), 0);
}

/** What is wrong with where volumes of a class may be. */
export function topologyErrors(terms: readonly Fields[], path: string): FieldError[] {
  const seen = new Set<string>();
  return terms.flatMap((term, index) => {
    const at = `${path}[${index}].matchLabelExpressions`;
    const expressions: readonly Fields[] = term.matchLabelExpressions ?? [];
    const meaning = meaningOf(expressions);
    const again = expressions.length === 0 || seen.has(meaning); // upstream compares with empty terms too
    seen.add(meaning);
    return [...expressionErrors(expressions, at), ...(again ? [duplicate(at, "")] : [])];
  });
}

function expressionErrors(expressions: readonly Fields[], path: string): FieldError[] {
  const keys = new Set<string>();
  return expressions.flatMap(({ key = "", values = [] }, index) => {
    const at = `${path}[${index}]`;
    const known = new Set<string>();
    const repeated = values.flatMap((value: string, place: number) => {
      const again = known.has(value);
      known.add(value);
      return again ? [duplicate(`${at}.values[${place}]`, value)] : [];
    });
    const errors: FieldError[] = [
      ...(values.length === 0 ? [required(`${at}.values`)] : []),
      ...repeated,
      ...textErrors(`${at}.key`, key, qualifiedNameErrors),
      ...(keys.has(key) ? [duplicate(`${at}.key`, key)] : []),
    ];
    keys.add(key);
    return errors;
  });
}

/** The same for terms that mean the same. */
function meaningOf(expressions: readonly Fields[]): string {
  const byKey = new Map<string, readonly string[]>();
  for (const { key = "", values = [] } of expressions) byKey.set(key, [...new Set<string>(values)].toSorted());
  return JSON.stringify([...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
