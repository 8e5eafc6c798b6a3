import { isJsonObject, type Json, type JsonObject } from "#base/json.ts";
import type { PublishedSchemas } from "#schema/published-schema.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { blankNode } from "#schema/uniform-schema.ts";

/** A node under construction: references may point to it before it is filled. */
type Unfinished = Record<string, unknown>;

/** Published types that mean more than their schema says. Their JSON form is not the Go struct's. */
const specialForms: Readonly<Record<string, Unfinished>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": { format: "quantity" },
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": { oneOf: undefined, "x-kubernetes-int-or-string": true },
  "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": { "x-kubernetes-preserve-unknown-fields": true },
  // Owned and merged as a whole, unlike free-form JSON.
  "io.k8s.apimachinery.pkg.runtime.RawExtension": {
    "x-kubernetes-preserve-unknown-fields": true,
    "x-kubernetes-map-type": "atomic",
  },
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON": { "x-kubernetes-preserve-unknown-fields": true },
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray": {
    "x-kubernetes-preserve-unknown-fields": true,
  },
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool": {
    "x-kubernetes-preserve-unknown-fields": true,
  },
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray": {
    "x-kubernetes-preserve-unknown-fields": true,
  },
};

/**
 * Said of published schemas only, not of nodes. Enumerations document a built-in kind; Kubernetes validates such fields
 * by code, which knows more values and says more.
 */
const publishedOnly = new Set(["x-kubernetes-group-version-kind", "x-kubernetes-unions", "enum"]);

/**
 * Resolves references into one graph of nodes: one node per named schema, one per place that adds a description or a
 * default to a reference.
 *
 * Zero defaults (`{}`, `""`, `0`, `false`) are dropped: they say what a Go struct holds when nothing was sent, and
 * Kubernetes never stores them because of them.
 */
export function linkSchemas(published: PublishedSchemas, names: GoNames): ReadonlyMap<string, SchemaNode> {
  const linker = new Linker(published, names);
  return linker.link();
}

/** What Go's decoding errors name otherwise than schemas do, by the schema's name and the field's. */
export interface GoNames {
  /** Types of fields (`v1.Protocol`); under `field[]` those of its items. */
  readonly named: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Structs that a field is embedded through (`VolumeSource`). */
  readonly embedded: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** `v1.EnvVar` of `io.k8s.api.core.v1.EnvVar`: how Go's decoding errors name the struct. */
function structName(name: string): string {
  return name.split(".").slice(-2).join(".");
}

class Linker {
  readonly #published: PublishedSchemas;
  readonly #names: GoNames;
  readonly #named = new Map<string, Unfinished>();
  /** Places that refine a reference; filled last, when every named node has its content. */
  readonly #refined: { node: Unfinished; target: Unfinished; own: Unfinished }[] = [];

  constructor(published: PublishedSchemas, names: GoNames) {
    this.#published = published;
    this.#names = names;
    for (const name of Object.keys(published)) this.#named.set(name, blankNode());
  }

  link(): ReadonlyMap<string, SchemaNode> {
    for (const [name, node] of this.#named) {
      Object.assign(node, this.#content(this.#published[name]!), { title: structName(name) }, specialForms[name]);
      this.#nameFields(name, node);
    }
    for (const { node, target, own } of this.#refined) Object.assign(node, target, own);
    return this.#named;
  }

  /** Adds what Go calls the fields of a struct; a field that refers to a schema gets a node of its own for it. */
  #nameFields(name: string, node: Unfinished): void {
    const [types, structs] = [this.#names.named[name] ?? {}, this.#names.embedded[name] ?? {}];
    const fields = (node["properties"] ?? {}) as Record<string, Unfinished>; // just made
    for (const field of new Set([...Object.keys(types), ...Object.keys(structs)])) {
      const known = field.replace(/\[\]$/, "");
      const target = fields[known];
      if (target === undefined) continue;
      const own: Unfinished = {};
      if (types[known] !== undefined) own["goType"] = types[known];
      if (types[`${known}[]`] !== undefined) own["goItemType"] = types[`${known}[]`];
      if (structs[known] !== undefined) own["goEmbedded"] = structs[known];
      const named: Unfinished = blankNode();
      this.#refined.push({ node: named, target, own });
      fields[known] = named;
    }
  }

  #child(schema: Json): Unfinished {
    if (!isJsonObject(schema)) throw new Error("cannot link schemas: a schema is not an object");
    const direct = schema["$ref"];
    if (typeof direct === "string") return this.#target(direct);
    const allOf = schema["allOf"];
    if (!Array.isArray(allOf) || allOf.length !== 1) return Object.assign(blankNode(), this.#content(schema));
    const { allOf: _, ...own } = schema;
    const node: Unfinished = blankNode();
    // Published schemas refine a reference as `allOf` with a single member.
    const reference = (allOf as readonly JsonObject[])[0]!["$ref"];
    this.#refined.push({ node, target: this.#target(String(reference)), own: this.#content(own) });
    return node;
  }

  #target(name: string): Unfinished {
    const node = this.#named.get(name);
    if (node === undefined) throw new Error(`cannot link schemas: "${name}" is referred to but not there`);
    return node;
  }

  #content(schema: JsonObject): Unfinished {
    const content: Unfinished = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (publishedOnly.has(keyword) || (keyword === "default" && isZero(value))) continue;
      content[keyword] = this.#keyword(keyword, value);
    }
    return content;
  }

  #keyword(keyword: string, value: Json): unknown {
    if (keyword === "items" || (keyword === "additionalProperties" && isJsonObject(value))) return this.#child(value);
    if (keyword !== "properties" || !isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, this.#child(child)]));
  }
}

function isZero(value: Json): boolean {
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false || value === null;
}
