import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import type { Core } from "#apiserver/core.ts";
import type { FieldError } from "#base/field-error.ts";
import { validateFields, validateFieldsUpdate } from "#schema/validate-fields.ts";

/** What the schema of a custom resource says of a new one; nothing of built-in kinds, which are judged by code. */
export function customErrors({ patterns }: Core, type: ResourceType, draft: Draft): readonly FieldError[] {
  if (!type.custom) return [];
  return withoutKnownMetadata(validateFields(draft, type.schema, { patterns, embedded: type.embedded }));
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
  { patterns }: Core,
  { type, next, current, isStatus }: CustomUpdate,
): readonly FieldError[] {
  if (!type.custom) return [];
  const status = type.schema.properties?.["status"];
  if (!isStatus || status === undefined) {
    const options = { old: current, patterns, embedded: type.embedded };
    return withoutKnownMetadata(validateFieldsUpdate(next, type.schema, options));
  }
  if (next["status"] === undefined) return [];
  const errors = validateFieldsUpdate(next["status"], status, {
    old: current["status"],
    patterns,
    embedded: type.embedded,
  });
  return errors.map((error) => ({ ...error, path: belowStatus(error.path) }));
}

function belowStatus(path: string): string {
  if (path === "" || path === "<nil>") return "status";
  return path.startsWith("[") ? `status${path}` : `status.${path}`;
}

/** Some parts of metadata are judged as those of every object are. */
function withoutKnownMetadata(errors: readonly FieldError[]): readonly FieldError[] {
  return errors.filter(({ path }) => !/^metadata\.(ownerReferences|managedFields)\[/.test(path));
}
