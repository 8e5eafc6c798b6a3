import type { Json } from "#base/json.ts";

/**
 * A Kubernetes structural schema as it is published: OpenAPI v3 with the `x-kubernetes-*` extensions.
 *
 * One form serves our own kinds, users' CRDs and the built-in kinds. References of the published form are resolved
 * when a schema is loaded: nodes may be shared and the graph may be cyclic (JSONSchemaProps), so walks follow the value,
 * never the schema alone.
 */
export interface SchemaNode {
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  readonly description?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: Json;
  readonly example?: Json;
  readonly nullable?: boolean;
  readonly enum?: readonly Json[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-patch-merge-key"?: string;
  readonly "x-kubernetes-patch-strategy"?: string;
  readonly "x-kubernetes-validations"?: readonly Json[];
  /** Of a field of a built-in kind: what Go calls its type, or that of its items, where that has a name of its own. */
  readonly goType?: string;
  readonly goItemType?: string;
  /** Of a field of a built-in kind: the struct that it is embedded through. */
  readonly goEmbedded?: string;
}
