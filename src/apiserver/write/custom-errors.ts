import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import type { Core } from "#apiserver/core.ts";
import { type FieldError, invalid } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import { isSurelyValid } from "#schema/surely-valid.ts";
import { validateFields, validateFieldsUpdate } from "#schema/validate-fields.ts";
import { valueAt } from "./scale-form.ts";

/** What the schema of a custom resource says of a new one; nothing of built-in kinds, which are judged by code. */
export function customErrors({ patterns }: Core, type: ResourceType, draft: Draft): readonly FieldError[] {
  if (!type.custom) return [];
  const errors = validateFields(draft, type.schema, { patterns, embedded: type.embedded });
  return [...withoutKnownMetadata(errors), ...replicasErrors(draft, replicasPaths(type))];
}

export interface CustomUpdate {
  readonly type: ResourceType;
  readonly next: Draft;
  readonly current: ApiObject;
  /** A write of the status alone: that is judged by itself, and named by itself in messages. */
  readonly isStatus: boolean;
}

/** The same of one that takes another's place. */
export function customUpdateErrors(
  { patterns, settled }: Core,
  { type, next, current, isStatus }: CustomUpdate,
): readonly FieldError[] {
  if (!type.custom) return [];
  const status = type.schema.properties?.["status"];
  if (!isStatus || status === undefined) {
    const options = { old: current, patterns, embedded: type.embedded };
    return [
      ...withoutKnownMetadata(validateFieldsUpdate(next, type.schema, options)),
      ...replicasErrors(next, replicasPaths(type)),
    ];
  }
  if (next["status"] === undefined) return [];
  const [, ofStatus] = replicasPaths(type);
  const value = next["status"];
  const isRight =
    settled.isKept(type, value) || (type.embedded === undefined && isSurelyValid(value, status, patterns));
  if (isRight) settled.foundRight(type, value);
  const errors = isRight
    ? []
    : validateFieldsUpdate(value, status, { old: current["status"], patterns, embedded: type.embedded });
  return [
    ...errors.map((error) => ({ ...error, path: belowStatus(error.path) })),
    ...replicasErrors(next, ofStatus === undefined ? [] : [ofStatus]),
  ];
}

const standardFinalizers: readonly string[] = ["kubernetes", "orphan", "foregroundDeletion"];

/** What is remarked of a custom resource that is right: finalizers that others might mean, too. */
export function customRemarks({ custom }: ResourceType, { metadata }: Draft, old?: ApiObject): readonly string[] {
  if (!custom || metadata.finalizers === undefined) return [];
  const known = new Set([...(old?.metadata.finalizers ?? []), ...standardFinalizers]);
  const added = metadata.finalizers.filter((name) => !known.has(name));
  return [...new Set(added)].toSorted().flatMap((name) => {
    if (name.includes("/")) return [];
    const path = name.includes(".") ? " including a path (/)" : "";
    const hint = `prefer a domain-qualified finalizer name${path}`;
    return [
      `metadata.finalizers: ${goQuote(name)}: ${hint} to avoid accidental conflicts with other finalizer writers`,
    ];
  });
}

/** Where replicas are wished and where they are told. */
function replicasPaths({ subresources: { scale } }: ResourceType): readonly string[] {
  return scale === undefined ? [] : [scale.specReplicasPath, scale.statusReplicasPath];
}

/** What is scaled has a number of replicas that a Scale can tell. */
function replicasErrors(object: Draft, paths: readonly string[]): readonly FieldError[] {
  return paths.flatMap((path) => {
    const replicas = valueAt(object, path);
    if (typeof replicas !== "number" || (replicas >= 0 && replicas <= maxReplicas)) return [];
    const bound = `less than or equal to ${maxReplicas}`;
    return [invalid(path, replicas, `should be ${replicas < 0 ? "a non-negative integer" : bound}`)];
  });
}

const maxReplicas = 2 ** 31 - 1;

function belowStatus(path: string): string {
  if (path === "" || path === "<nil>") return "status";
  return path.startsWith("[") ? `status${path}` : `status.${path}`;
}

/** Some parts of metadata are judged as those of every object are. */
function withoutKnownMetadata(errors: readonly FieldError[]): readonly FieldError[] {
  return errors.filter(({ path }) => !/^metadata\.(ownerReferences|managedFields)\[/.test(path));
}
