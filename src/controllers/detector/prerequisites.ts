import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";

/** How soon what a policy propagates is placed; or the class that would say so, and is not there. */
export type SchedulePriority =
  | { readonly ok: true; readonly value: number | undefined }
  | { readonly ok: false; readonly missing: string };

export interface PriorityFacts {
  /** Gate PriorityBasedScheduling. */
  readonly isOn: boolean;
  /** The value of a PriorityClass; undefined when there is none of that name. */
  readonly valueOfClass: (name: string) => number | undefined;
}

/** The priority that a policy gives to what it propagates; none where it says nothing, or nobody asks. */
export function schedulePriorityOf({ spec }: Policy, { isOn, valueOfClass }: PriorityFacts): SchedulePriority {
  const name = spec.schedulePriority?.priorityClassName;
  if (!isOn || name === undefined) return { ok: true, value: undefined };
  const value = valueOfClass(name);
  return value === undefined ? { ok: false, missing: `PriorityClass ${name}` } : { ok: true, value };
}

/** The override policies that must be there before a policy claims anything, and are not: of its own namespace, or of none. */
export function missingOverrides(
  { metadata, spec }: Policy,
  exists: (key: { readonly namespace?: string; readonly name: string }) => boolean,
): readonly string[] {
  const { namespace } = metadata;
  return (spec.dependentOverrides ?? [])
    .filter((name) => !exists(namespace === undefined ? { name } : { namespace, name }))
    .map((name) => (namespace === undefined ? `ClusterOverridePolicy ${name}` : `OverridePolicy ${namespace}/${name}`));
}

/** Values under which an informer of policies finds those that wait for something: see `prerequisiteOf`. */
export function prerequisitesOf(policy: ApiObject): readonly string[] {
  const { metadata, spec } = policy as unknown as Policy; // the informer's kind
  const overrides = (spec.dependentOverrides ?? []).map((name) => `override ${metadata.namespace ?? ""}/${name}`);
  const priority = spec.schedulePriority?.priorityClassName;
  return priority === undefined ? overrides : [...overrides, `class ${priority}`];
}

/** The value under which the policies are found that wait for this object. */
export function prerequisiteOf({ kind, metadata }: ApiObject): string {
  return kind === "PriorityClass" ? `class ${metadata.name}` : `override ${metadata.namespace ?? ""}/${metadata.name}`;
}
