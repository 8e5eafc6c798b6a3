import type { Fields } from "#api/meta/object-meta.ts";
import { isJsonObject, jsonEquals } from "#base/json.ts";
import { goSchema } from "#schema/go-schema.ts";

/** Whether all versions of a definition have the same there: inside Kubernetes it is a part of the whole then. */
export function isShared(versions: readonly Fields[], part: string): boolean {
  const first = versions[0]?.[part];
  if (first == null || (Array.isArray(first) && first.length === 0)) return false;
  return versions.every((version) => jsonEquals(version[part], first));
}

/** The versions as Kubernetes prints them: its own Go form, without what they share. */
export function goVersions(versions: readonly Fields[]): unknown {
  if (versions.length === 0) return null;
  const own = (version: Fields, part: string) => (isShared(versions, part) ? undefined : version[part]);
  return versions.map((version) => ({
    Name: version["name"] ?? "",
    Served: version["served"] ?? false,
    Storage: version["storage"] ?? false,
    Deprecated: version["deprecated"] ?? false,
    DeprecationWarning: version["deprecationWarning"] ?? null,
    Schema: goValidation(own(version, "schema")),
    Subresources: goSubresources(own(version, "subresources")),
    AdditionalPrinterColumns: goColumns(own(version, "additionalPrinterColumns")),
    SelectableFields: own(version, "selectableFields")?.map(({ jsonPath }: Fields) => ({ JSONPath: jsonPath })) ?? null,
  }));
}

function goValidation(schema: Fields | undefined): unknown {
  if (schema == null) return null;
  const { openAPIV3Schema } = schema;
  return { OpenAPIV3Schema: isJsonObject(openAPIV3Schema) ? goSchema(openAPIV3Schema) : null };
}

function goSubresources(subresources: Fields | undefined): unknown {
  if (subresources == null) return null;
  const { status, scale } = subresources;
  return {
    Status: status == null ? null : {},
    Scale:
      scale == null
        ? null
        : {
            SpecReplicasPath: scale.specReplicasPath ?? "",
            StatusReplicasPath: scale.statusReplicasPath ?? "",
            LabelSelectorPath: scale.labelSelectorPath ?? null,
          },
  };
}

function goColumns(columns: readonly Fields[] | undefined): unknown {
  if (columns == null) return null;
  return columns.map(({ name = "", type = "", format = "", description = "", priority = 0, jsonPath = "" }) => ({
    ...{ Name: name, Type: type, Format: format, Description: description, Priority: priority, JSONPath: jsonPath },
  }));
}
