import type { JsonObject } from "#base/json.ts";
import { publishSchema } from "#schema/publish.ts";
import type { Column, Kind } from "./kind.ts";

/** A kind as a CustomResourceDefinition, ready to be applied to any Kubernetes. */
export function crdOf(kind: Kind): JsonObject {
  const { group, version, plural, singular, listKind, shortNames, categories } = kind;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind: kind.kind,
        listKind,
        plural,
        singular,
        ...(shortNames.length > 0 && { shortNames }),
        ...(categories.length > 0 && { categories }),
      },
      scope: kind.namespaced ? "Namespaced" : "Cluster",
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: publishSchema(kind.schema) },
          ...(kind.columns.length > 0 && { additionalPrinterColumns: kind.columns.map(columnOf) }),
          ...(kind.hasStatus && { subresources: { status: {} } }),
        },
      ],
    },
  };
}

function columnOf({ name, type, jsonPath, description, priority }: Column): JsonObject {
  return {
    name,
    type,
    ...(description !== undefined && { description }),
    ...(priority !== undefined && priority > 0 && { priority }),
    jsonPath,
  };
}
