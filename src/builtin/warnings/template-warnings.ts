import type { Fields } from "#api/meta/object-meta.ts";
import { sameValue } from "../value-rules.ts";
import { nameWarnings } from "./name-warnings.ts";
import { podWarnings } from "./pod-warnings.ts";

/** Whether what an object wants was not there before: only then it is told of. */
export function isNewSpec({ spec }: Fields, old: Fields | undefined): boolean {
  return old === undefined || !sameValue(spec, old.spec);
}

/** What is to be said of a workload: of its name once, of its template when its spec changes. */
export function workloadWarnings(object: Fields, old: Fields | undefined): string[] {
  return [...(old === undefined ? nameWarnings(object.metadata.name) : []), ...templateWarnings(object, old)];
}

/** The same of a workload after which no pods are named. */
export function templateWarnings(object: Fields, old: Fields | undefined): string[] {
  return isNewSpec(object, old) ? podWarnings(object.spec.template ?? {}, "spec.template") : [];
}
