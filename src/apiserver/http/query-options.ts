import type { CallOptions, DeleteOptions, FieldValidation, Verb } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type FieldError, invalid, notSupported } from "#base/field-error.ts";
import { isJsonObject } from "#base/json.ts";
import { isTrue } from "./route.ts";

/** The options of a request: its query, and for a deletion its body. `userAgent` names the manager when nothing else does. */
export function readOptions(verb: Verb, query: URLSearchParams, userAgent: string | undefined): CallOptions {
  const text = (name: string) => query.get(name) ?? undefined;
  const fieldValidation = readFieldValidation(query);
  const writes = verb === "create" || verb === "update" || verb === "patch";
  const manager = text("fieldManager") || (writes ? managerOfAgent(userAgent) : undefined);
  return {
    ...present("labelSelector", text("labelSelector")),
    ...present("fieldSelector", text("fieldSelector")),
    ...present("limit", readInteger(query, "limit")),
    ...present("continue", text("continue") || undefined),
    ...present("resourceVersion", text("resourceVersion")),
    ...present("resourceVersionMatch", text("resourceVersionMatch")),
    ...present(
      "sendInitialEvents",
      query.has("sendInitialEvents") ? isTrue(query.get("sendInitialEvents")) : undefined,
    ),
    ...present(
      "allowWatchBookmarks",
      query.has("allowWatchBookmarks") ? isTrue(query.get("allowWatchBookmarks")) : undefined,
    ),
    ...present("timeoutSeconds", readInteger(query, "timeoutSeconds")),
    ...present("fieldManager", manager),
    ...present("fieldValidation", fieldValidation),
    ...present("force", query.has("force") ? isTrue(query.get("force")) : undefined),
    ...present("dryRun", readDryRun(query.getAll("dryRun"))),
  };
}

/** 422 for an apply without a field manager: it would own nothing. */
export function expectFieldManager(query: URLSearchParams): void {
  if (query.get("fieldManager")) return;
  throw StatusError.invalid({ group: "meta.k8s.io", resource: "PatchOptions" }, [
    { path: "fieldManager", type: "required", detail: "is required for apply patch" },
  ]);
}

/** DeleteOptions from the body, else from the query. */
export function readDeleteOptions(
  query: URLSearchParams,
  body: unknown,
): { readonly deletion: DeleteOptions; readonly dryRun: boolean } {
  const options = isJsonObject(body) ? body : {};
  const grace = options["gracePeriodSeconds"] ?? readInteger(query, "gracePeriodSeconds");
  const orphan = options["orphanDependents"];
  const propagation =
    options["propagationPolicy"] ??
    query.get("propagationPolicy") ??
    (typeof orphan === "boolean" ? (orphan ? "Orphan" : "Background") : undefined);
  const preconditions = isJsonObject(options["preconditions"]) ? options["preconditions"] : undefined;
  const dryRun = Array.isArray(options["dryRun"]) ? options["dryRun"].map(String) : query.getAll("dryRun");
  if (
    propagation !== undefined &&
    propagation !== "Orphan" &&
    propagation !== "Background" &&
    propagation !== "Foreground"
  ) {
    throw invalidOptions(
      "DeleteOptions",
      notSupported("propagationPolicy", propagation, ["Foreground", "Background", "Orphan"]),
    );
  }
  if (grace !== undefined && typeof grace !== "number") {
    throw invalidOptions("DeleteOptions", invalid("gracePeriodSeconds", grace, "must be an integer"));
  }
  return {
    dryRun: readDryRun(dryRun) === true,
    deletion: {
      ...present("gracePeriodSeconds", grace),
      ...present("propagationPolicy", propagation),
      ...present("preconditions", preconditions as DeleteOptions["preconditions"]), // compared as strings only
    },
  };
}

function readFieldValidation(query: URLSearchParams): FieldValidation | undefined {
  const value = query.get("fieldValidation");
  if (value === null || value === "") return undefined;
  if (value === "Strict" || value === "Warn" || value === "Ignore") return value;
  throw invalidOptions("CreateOptions", notSupported("fieldValidation", value, ["Ignore", "Strict", "Warn"]));
}

function readDryRun(values: readonly string[]): boolean | undefined {
  if (values.length === 0 || (values.length === 1 && values[0] === "")) return undefined;
  if (values.every((value) => value === "All")) return true;
  throw invalidOptions("CreateOptions", notSupported("dryRun", values, ["All"]));
}

function readInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const value = Number(text);
  if (/^-?[0-9]{1,15}$/.test(text)) return value;
  throw StatusError.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax (parameter ${name})`);
}

function invalidOptions(kind: string, error: FieldError): StatusError {
  return StatusError.invalid({ group: "meta.k8s.io", resource: kind }, [error]);
}

/** Kubernetes takes what stands before the first slash of the user agent. */
function managerOfAgent(userAgent: string | undefined): string {
  return (userAgent ?? "unknown").split("/")[0]!.slice(0, 128) || "unknown";
}

function present<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V }); // one member, of that name
}
