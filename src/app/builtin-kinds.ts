import { bodyType } from "#api/meta/body-type.ts";
import { embeddedResourceRules } from "#api/meta/embedded-resource.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { SchemaCheck } from "#builtin/apiextensions/custom-resource-definition.ts";
import { builtinResources } from "#builtin/builtin-resources.ts";
import { findDataDirectory } from "#builtin/data-directory.ts";
import { GoForm } from "#builtin/go-form.ts";
import { loadBuiltinCatalog, loadGoStructs, loadMessageTable } from "#builtin/load-schemas.ts";
import { decodeProtobuf } from "#builtin/protobuf/decode.ts";
import { ProtobufError } from "#builtin/protobuf/protobuf-error.ts";
import type { PublishedSchemas } from "#schema/published-schema.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { findSchemaErrors } from "#schema/structural-schema.ts";

/** Kinds that only have a meaning where they are enforced, which needs CEL: not served is better than ignored. */
const unserved: ReadonlySet<string> = new Set([
  "mutatingadmissionpolicies",
  "mutatingadmissionpolicybindings",
  "validatingadmissionpolicies",
  "validatingadmissionpolicybindings",
]);

/** The built-in kinds as every API server in this process shares them; immutable. */
export interface BuiltinKinds {
  readonly resources: readonly ResourceType[];
  readonly publishedSchemas: PublishedSchemas;
  readonly objectMeta: SchemaNode;
  readonly decodeProtobuf: (bytes: Uint8Array) => unknown;
  /** What subresources are sent. */
  readonly bodies: Readonly<Record<"Binding" | "Eviction" | "TokenRequest", ResourceType>>;
}

function bodyTypes(nodes: ReadonlyMap<string, SchemaNode>): BuiltinKinds["bodies"] {
  const type = (group: string, kind: string, schema: string) => {
    const id = { group, version: "v1", kind, resource: `${kind.toLowerCase()}s`, namespaced: true };
    return bodyType(id, { schema: nodes.get(schema)!, custom: false });
  };
  return {
    Binding: type("", "Binding", "io.k8s.api.core.v1.Binding"),
    Eviction: type("policy", "Eviction", "io.k8s.api.policy.v1.Eviction"),
    TokenRequest: type("authentication.k8s.io", "TokenRequest", "io.k8s.api.authentication.v1.TokenRequest"),
  };
}

export function loadBuiltinKinds(): BuiltinKinds {
  const directory = findDataDirectory();
  const catalog = loadBuiltinCatalog(directory);
  const messages = loadMessageTable(directory);
  const objectMeta = catalog.nodes.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")!;
  const goForm = new GoForm(loadGoStructs(directory));
  const rules = embeddedResourceRules(objectMeta);
  const schemaErrors: SchemaCheck = (schema, path) => findSchemaErrors(schema, path, rules);
  return {
    resources: builtinResources(catalog, { schemaErrors, messages, goForm }).filter(
      (type) => !unserved.has(type.plural),
    ),
    bodies: bodyTypes(catalog.nodes),
    publishedSchemas: catalog.publishedSchemas,
    objectMeta,
    decodeProtobuf(bytes) {
      try {
        return decodeProtobuf(messages, bytes);
      } catch (error: unknown) {
        if (error instanceof ProtobufError) throw StatusError.badRequest(error.message);
        throw error;
      }
    },
  };
}
