import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { fieldErrorMessage, invalid } from "#base/field-error.ts";

export type IncludeObject = "None" | "Metadata" | "Object";

export interface TableRequest {
  readonly type: ResourceType;
  readonly version: string;
  readonly include: IncludeObject;
  readonly nowMs: number;
}

export function readIncludeObject(query: URLSearchParams): IncludeObject {
  const value = query.get("includeObject") ?? "Metadata";
  if (value === "" || value === "Metadata") return "Metadata";
  if (value === "None" || value === "Object") return value;
  const problem = invalid("includeObject", value, "must be 'Metadata', 'Object', 'None', or empty");
  throw StatusError.badRequest(`Unable to convert to Table as requested: ${fieldErrorMessage(problem)}`);
}

/** A Table of these objects: what `kubectl get` shows. Watches send the columns once. */
export function tableOf(
  objects: readonly ApiObject[],
  request: TableRequest,
  { metadata, withColumns = true }: { readonly metadata: object; readonly withColumns?: boolean },
): object {
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${request.version}`,
    metadata,
    columnDefinitions: withColumns ? request.type.table.columns : null,
    rows: objects.map((object) => ({
      cells: request.type.table.cells(object, request.nowMs),
      object: request.include === "None" ? null : rowObject(object, request),
    })),
  };
}

function rowObject(object: ApiObject, { include, version }: TableRequest): object {
  return include === "Object" ? object : partialOf(object, version);
}

/** An object's metadata alone. */
export function partialOf(object: ApiObject, version: string): object {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
}
