import type { Taint } from "#api/core/taint.ts";
import { labelValueErrors, qualifiedNameErrors } from "#api/meta/names.ts";
import { duplicate, type FieldError, invalid, notSupported } from "#base/field-error.ts";

const effects = ["NoExecute", "NoSchedule", "PreferNoSchedule"];

/** What is wrong with the taints of a cluster: each is well formed, and none is there twice for the same effect. */
export function taintErrors(taints: readonly Taint[], path: string): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const { key, value = "", effect } = taint;
    const place = `${path}[${index}]`;
    const errors = [
      ...qualifiedNameErrors(key).map((detail) => invalid(`${place}.key`, key, detail)),
      ...labelValueErrors(value).map((detail) => invalid(`${place}.value`, value, detail)),
      ...(effects.includes(effect) ? [] : [notSupported(`${place}.effect`, effect, effects)]),
    ];
    const identity = `${key}:${effect}`;
    if (seen.has(identity)) errors.push(duplicate(place, taint));
    seen.add(identity);
    return errors;
  });
}
