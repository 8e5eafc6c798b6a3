import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";

export type IncludeObject = "None" | "Metadata" | "Object";

export interface TableRequest {
  readonly type: ResourceType;
  readonly version: "v1" | "v1beta1";
  readonly include: IncludeObject;
  readonly nowMs: number;
}

export function readIncludeObject(query: URLSearchParams): IncludeObject {
  const value = query.get("includeObject") ?? "Metadata";
  if (value === "" || value === "Metadata") return "Metadata";
  if (value === "None" || value === "Object") return value;
  throw StatusError.badRequest(`unrecognized includeObject value: ${JSON.stringify(value)}`);
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
      ...(request.include === "None" ? {} : { object: rowObject(object, request) }),
    })),
  };
}

function rowObject(object: ApiObject, { include, version }: TableRequest): object {
  return include === "Object" ? object : partialOf(object, version);
}

/** An object's metadata alone. */
export function partialOf(object: ApiObject, version: "v1" | "v1beta1"): object {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata };
}
