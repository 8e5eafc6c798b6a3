import type { Fields } from "#api/meta/object-meta.ts";
import { isJsonObject, jsonEquals } from "#base/json.ts";
import { goSchema } from "#schema/go-schema.ts";

/** What all versions of a definition may have in common. */
const parts = ["schema", "subresources", "additionalPrinterColumns", "selectableFields"] as const;

/** A definition as Kubernetes looks at it: what all of its versions share is a part of the whole and of none of them. */
export interface SharedSpec {
  readonly versions: readonly Fields[];
  /** The shared parts. */
  readonly whole: Fields;
}

/** Takes the shared parts out of the versions of a definition. */
export function sharedSpec({ versions }: Fields): SharedSpec {
  const all: readonly Fields[] = versions ?? [];
  const shared = parts.filter((part) => all.every((version) => isSame(version[part], all[0]?.[part])));
  const taken = shared.filter((part) => all[0]?.[part] != null);
  return {
    versions: all.map((version) =>
      Object.fromEntries(Object.entries(version).filter(([part]) => !shared.some((each) => each === part))),
    ),
    whole: Object.fromEntries(taken.map((part) => [part, all[0]![part]])),
  };
}

/** An empty list is none. */
function isSame(one: unknown, other: unknown): boolean {
  const none = (part: unknown) => part == null || (Array.isArray(part) && part.length === 0);
  return (none(one) && none(other)) || jsonEquals(one, other);
}

/** Versions without what they share as Kubernetes prints them: its own Go form. */
export function goVersions(given: unknown, { versions }: SharedSpec): unknown {
  if (given == null) return null;
  return versions.map((version) => ({
    Name: version["name"] ?? "",
    Served: version["served"] ?? false,
    Storage: version["storage"] ?? false,
    Deprecated: version["deprecated"] ?? false,
    DeprecationWarning: version["deprecationWarning"] ?? null,
    Schema: goValidation(version["schema"]),
    Subresources: goSubresources(version["subresources"]),
    AdditionalPrinterColumns: goColumns(version["additionalPrinterColumns"]),
    SelectableFields: version["selectableFields"]?.map(({ jsonPath = "" }: Fields) => ({ JSONPath: jsonPath })) ?? null,
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
