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
