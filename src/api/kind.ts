import type { ObjectMeta } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Schema } from "#schema/schema.ts";
import type { SchemaNode } from "#schema/schema-node.ts";

/** A kind that we declare: everything that is published, served, printed or documented of it comes from here. */
export interface Kind<Name extends string = string, Read = unknown, Write = unknown> {
  readonly group: string;
  readonly version: string;
  readonly kind: Name;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly doc: string;
  /** The whole object as a structural schema. */
  readonly schema: SchemaNode;
  readonly columns: readonly Column[];
  readonly hasStatus: boolean;
  /** Never set: carries the two types for the compiler. */
  readonly types?: { readonly read: Read; readonly write: Write };
}

/** A column of `kubectl get`, in the form of a CRD's additionalPrinterColumns. */
export interface Column {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly jsonPath: string;
  readonly description?: string;
  /** 0 (the default) is always shown, above only in wide output. */
  readonly priority?: number;
}

export interface KindDeclaration<Name extends string, SpecRead, SpecWrite, StatusRead, StatusWrite> {
  readonly group: string;
  readonly version: string;
  readonly kind: Name;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  readonly doc: string;
  readonly spec: Schema<SpecRead, SpecWrite>;
  /** With a status the kind has a status subresource. */
  readonly status?: Schema<StatusRead, StatusWrite>;
  readonly columns?: readonly Column[];
}

/** An object as it is read: defaults are there. */
export interface ObjectOf<Name extends string, Spec, Status> {
  readonly apiVersion: string;
  readonly kind: Name;
  readonly metadata: ObjectMeta;
  readonly spec: Spec;
  readonly status?: Status;
}

/** An object as it may be written. */
export interface InputOf<Name extends string, Spec, Status> {
  readonly apiVersion: string;
  readonly kind: Name;
  readonly metadata: Partial<ObjectMeta>;
  readonly spec: Spec;
  readonly status?: Status;
}

/** What is read of a kind. */
export type ReadKind<K> = K extends Kind<string, infer R, unknown> ? R : never;
/** What may be written of a kind. */
export type WriteKind<K> = K extends Kind<string, unknown, infer W> ? W : never;

/** Declares a kind with a spec and, if it has one, a status. */
export function defineKind<const Name extends string, SR, SW, TR = never, TW = never>(
  declaration: KindDeclaration<Name, SR, SW, TR, TW>,
): Kind<Name, ObjectOf<Name, SR, TR>, InputOf<Name, SW, TW>> {
  const { group, version, kind, plural, namespaced, doc, spec, status } = declaration;
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames: declaration.shortNames ?? [],
    categories: declaration.categories ?? [],
    namespaced,
    doc,
    schema: objectNode(doc, spec.node, status?.node),
    columns: declaration.columns ?? [],
    hasStatus: status !== undefined,
  };
}

/** `policy.karmada.io/v1alpha1`. */
export function apiVersionOf({ group, version }: Pick<Kind, "group" | "version">): string {
  return `${group}/${version}`;
}

/** The column that shows how old an object is. */
export const ageColumn: Column = { name: "AGE", type: "date", jsonPath: ".metadata.creationTimestamp" };

/** A spec that has a default may be left out; every other spec is required. */
function objectNode(doc: string, spec: SchemaNode, status: SchemaNode | undefined): SchemaNode {
  return {
    description: doc,
    type: "object",
    ...(spec.default === undefined && { required: ["spec"] }),
    properties: {
      apiVersion: { description: "The version of the schema that this object is written in.", type: "string" },
      kind: { description: "The kind of this object, in CamelCase.", type: "string" },
      metadata: { type: "object" },
      spec,
      ...(status !== undefined && { status }),
    },
  };
}

/** Where objects of a kind are served. */
export function resourceOf({ group, version, plural, kind, namespaced }: Kind): ResourceId {
  return { group, version, resource: plural, kind, namespaced };
}
