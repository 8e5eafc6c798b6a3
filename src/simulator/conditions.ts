import type { Fields } from "#api/meta/object-meta.ts";
import { formatTime } from "#base/clock.ts";

/** What a condition says; when it began to say so is kept by withCondition. */
export interface ConditionWords {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
}

export interface ConditionTimes {
  readonly nowMs: number;
  /** Fields that this kind's conditions carry besides, set whenever the words change. */
  readonly more?: Fields;
}

/** The conditions with one of them saying this. The time moves only with the status; equal words change nothing. */
export function withCondition(
  conditions: readonly Fields[],
  words: ConditionWords,
  { nowMs, more = {} }: ConditionTimes,
): readonly Fields[] {
  const known = conditions.find(({ type }) => type === words.type);
  if (known !== undefined && sameWords(known, words)) return conditions;
  const since = known?.["status"] === words.status ? known["lastTransitionTime"] : formatTime(nowMs);
  const { type, status, ...because } = words;
  const next: Fields = { type, status, ...more, lastTransitionTime: since, ...because }; // in the order in which Kubernetes prints it
  return known === undefined
    ? [...conditions, next]
    : conditions.map((condition) => (condition === known ? next : condition));
}

export function findCondition(object: { readonly status?: Fields }, type: string): Fields | undefined {
  return object.status?.["conditions"]?.find((condition: Fields) => condition["type"] === type);
}

export function isTrue(object: { readonly status?: Fields }, type: string): boolean {
  return findCondition(object, type)?.["status"] === "True";
}

function sameWords(known: Fields, words: ConditionWords): boolean {
  return (
    known["status"] === words.status &&
    (known["reason"] ?? "") === (words.reason ?? "") &&
    (known["message"] ?? "") === (words.message ?? "")
  );
}
