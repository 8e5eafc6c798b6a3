import type { ApiObject } from "#api/meta/object-meta.ts";
import type { PrinterColumn } from "#api/meta/printer-columns.ts";
import type { ScalePaths } from "#api/meta/resource-type.ts";
import type { SchemaNode } from "#schema/schema-node.ts";

export const definitionsPrefix = "apiextensions.k8s.io/customresourcedefinitions";

/** A CustomResourceDefinition as far as the server reads it; the schema of its own kind has seen to the shape. */
export interface Definition extends ApiObject {
  readonly spec: DefinitionSpec;
  readonly status?: DefinitionStatus;
}

export interface DefinitionSpec {
  readonly group: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly names: DefinitionNames;
  readonly versions: readonly DefinitionVersion[];
  readonly preserveUnknownFields?: boolean;
  readonly conversion?: { readonly strategy: string };
}

export interface DefinitionNames {
  readonly plural: string;
  readonly singular?: string;
  readonly kind: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema?: SchemaNode };
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePaths };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  /** Each a path of names, `.spec.color`. */
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

export interface DefinitionStatus {
  readonly conditions?: readonly DefinitionCondition[];
  readonly acceptedNames?: DefinitionNames;
  readonly storedVersions?: readonly string[];
}

export interface DefinitionCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** Whether the definition's resources are served: accepted, and not on its way out. */
export function isEstablished({ status }: Definition): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === "Established" && value === "True") ?? false;
}
