import type { DeleteOptions } from "#api/meta/api-call.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type FieldError, invalid, namedText, notSupported } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import { isJsonObject } from "#base/json.ts";
import { findTypeError } from "#schema/decode-types.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { dryRunErrors, expectOptions, readInteger } from "./query-options.ts";
import { isTrue } from "./route.ts";

const text: SchemaNode = { type: "string" };
const optionsSchema: SchemaNode = {
  type: "object",
  title: "v1.DeleteOptions",
  properties: {
    kind: text,
    apiVersion: text,
    gracePeriodSeconds: { type: "integer", format: "int64" },
    preconditions: {
      type: "object",
      title: "v1.Preconditions",
      properties: { uid: { ...text, goType: "types.UID" }, resourceVersion: text },
    },
    orphanDependents: { type: "boolean" },
    propagationPolicy: text,
    dryRun: { type: "array", items: text },
  },
};

const policies = ["Foreground", "Background", "Orphan"] as const;

export interface Deletion {
  readonly deletion: DeleteOptions;
  readonly dryRun: boolean;
}

/** What a deletion is to do: by its body where there is one, and then by nothing else; otherwise by its query. */
export function readDeleteOptions(query: URLSearchParams, body: unknown): Deletion {
  const options = body === undefined ? optionsOfQuery(query) : optionsOfBody(body);
  expectOptions("DeleteOptions", deletionErrors(options));
  const { gracePeriodSeconds, orphanDependents, preconditions, dryRun = [] } = options;
  const propagationPolicy = options["propagationPolicy"] ?? policyOf(orphanDependents);
  return {
    dryRun: dryRun.length > 0,
    deletion: {
      ...(gracePeriodSeconds == null ? {} : { gracePeriodSeconds }),
      ...(propagationPolicy == null ? {} : { propagationPolicy }),
      ...(isJsonObject(preconditions) ? { preconditions } : {}),
    },
  };
}

function optionsOfQuery(query: URLSearchParams): Fields {
  const gracePeriodSeconds = readInteger(query, "gracePeriodSeconds");
  const propagationPolicy = query.get("propagationPolicy");
  const [resourceVersion, uid] = [query.get("resourceVersion"), query.get("uid")];
  return {
    ...(resourceVersion || uid
      ? { preconditions: { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) } }
      : {}),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(query.has("orphanDependents") ? { orphanDependents: isTrue(query.get("orphanDependents")) } : {}),
    ...(propagationPolicy === null ? {} : { propagationPolicy }),
    dryRun: query.getAll("dryRun"),
  };
}

function optionsOfBody(body: unknown): Fields {
  if (body === null) return {};
  const options = body as Fields; // an object: whoever read it looked for its kind
  const kind = options["kind"] || "DeleteOptions";
  if (kind !== "DeleteOptions") {
    const version = options["apiVersion"] || (options["apiVersion"] === "" ? "meta.k8s.io/v1" : "v1");
    throw StatusError.badRequest(
      `no kind ${goQuote(kind)} is registered for version ${goQuote(version)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const problem = findTypeError(body, optionsSchema, "v1.DeleteOptions");
  if (problem !== undefined) throw StatusError.badRequest(problem);
  return options;
}

function deletionErrors({ orphanDependents, propagationPolicy, dryRun }: Fields): FieldError[] {
  const errors: FieldError[] = [];
  if (orphanDependents != null && propagationPolicy != null) {
    const detail = "orphanDependents and deletionPropagation cannot be both set";
    errors.push(invalid("propagationPolicy", namedText(propagationPolicy), detail));
  }
  if (propagationPolicy != null && !policies.some((policy) => policy === propagationPolicy)) {
    errors.push(notSupported("propagationPolicy", namedText(propagationPolicy), [...policies, "nil"]));
  }
  return [...errors, ...dryRunErrors(dryRun ?? [])];
}

function policyOf(orphanDependents: unknown): "Orphan" | "Background" | undefined {
  if (typeof orphanDependents !== "boolean") return undefined;
  return orphanDependents ? "Orphan" : "Background";
}
