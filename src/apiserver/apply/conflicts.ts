import { type FieldSet, pathsOf } from "./field-set.ts";
import type { ManagedEntry, ManagedFields } from "./managed-fields.ts";
import { describePath } from "./path-element.ts";

/** A field that another manager owns and that an apply would change. */
export interface ApplyConflict {
  /** `conflict with "kubectl-client-side-apply" using v1` */
  readonly message: string;
  /** `.spec.replicas` */
  readonly field: string;
}

export interface ConflictReport {
  /** As kubectl shows it. */
  readonly message: string;
  /** One cause each, of type FieldManagerConflict. */
  readonly conflicts: readonly ApplyConflict[];
}

/** Words for conflicts, sorted by manager. Upstream: apimachinery util/managedfields/internal/conflict.go. */
export function reportConflicts(found: ReadonlyMap<string, FieldSet>, managed: ManagedFields): ConflictReport {
  const groups = [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, fields]) => ({
      manager: describeManager(managed.get(key)!),
      fields: pathsOf(fields).map(describePath),
    }));
  const conflicts = groups.flatMap(({ manager, fields }) =>
    fields.map((field) => ({ message: `conflict with ${manager}`, field })),
  );
  const [only] = conflicts;
  if (conflicts.length === 1 && only !== undefined) {
    return { message: `Apply failed with 1 conflict: ${only.message}: ${only.field}`, conflicts };
  }
  const lines = groups.flatMap(({ manager, fields }) => [
    `conflicts with ${manager}:`,
    ...fields.map((field) => `- ${field}`),
  ]);
  return { message: `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`, conflicts };
}

function describeManager({ manager, operation, apiVersion, subresource }: ManagedEntry): string {
  const name =
    JSON.stringify(manager) + (subresource === undefined ? "" : ` with subresource ${JSON.stringify(subresource)}`);
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}
