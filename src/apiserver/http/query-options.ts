import type { CallOptions, FieldValidation, Verb } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, forbidden, invalid, notSupported, required, tooLong } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import { isTrue } from "./route.ts";

/** Verbs whose query selects objects. */
const selecting: ReadonlySet<Verb> = new Set(["list", "watch", "deletecollection"]);

/** The options of a request that its query has; what is no option of the verb is not looked at. `userAgent` names the manager when nothing else does. */
export function readOptions(
  verb: Verb,
  query: URLSearchParams,
  facts: { readonly userAgent: string | undefined; readonly isApply?: boolean },
): CallOptions {
  if (selecting.has(verb)) return listOptions(query);
  if (verb === "create" || verb === "update" || verb === "patch") return writeOptions(verb, query, facts);
  return present("resourceVersion", query.get("resourceVersion") ?? undefined);
}

function listOptions(query: URLSearchParams): CallOptions {
  const text = (name: string) => query.get(name) ?? undefined;
  const flag = (name: string) => (query.has(name) ? isTrue(query.get(name)) : undefined);
  return {
    ...present("labelSelector", text("labelSelector")),
    ...present("fieldSelector", text("fieldSelector")),
    ...present("limit", readInteger(query, "limit")),
    ...present("continue", text("continue") || undefined),
    ...present("resourceVersion", text("resourceVersion")),
    ...present("resourceVersionMatch", text("resourceVersionMatch")),
    ...present("sendInitialEvents", flag("sendInitialEvents")),
    ...present("allowWatchBookmarks", flag("allowWatchBookmarks")),
    ...present("timeoutSeconds", readInteger(query, "timeoutSeconds")),
  };
}

const optionKinds = { create: "CreateOptions", update: "UpdateOptions", patch: "PatchOptions" } as const;

function writeOptions(
  verb: keyof typeof optionKinds,
  query: URLSearchParams,
  { userAgent, isApply = false }: { readonly userAgent: string | undefined; readonly isApply?: boolean },
): CallOptions {
  const named = query.get("fieldManager") ?? "";
  const validation = query.get("fieldValidation") ?? "";
  const dryRun = query.getAll("dryRun");
  expectOptions(optionKinds[verb], [
    ...(isApply && named === "" ? [required("fieldManager", "is required for apply patch")] : []),
    ...(verb === "patch" && !isApply && query.has("force")
      ? [forbidden("force", "may not be specified for non-apply patch")]
      : []),
    ...managerErrors(named),
    ...dryRunErrors(dryRun),
    ...(isFieldValidation(validation)
      ? []
      : [notSupported("fieldValidation", validation, ["", "Ignore", "Strict", "Warn"])]),
  ]);
  return {
    fieldManager: named || managerOfAgent(userAgent),
    ...(isFieldValidation(validation) && validation !== "" ? { fieldValidation: validation } : {}),
    ...(query.has("force") ? { force: isTrue(query.get("force")) } : {}),
    ...(dryRun.length > 0 ? { dryRun: true } : {}),
  };
}

/** Throws a 422 about options that are there and wrong. */
export function expectOptions(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw StatusError.invalid({ group: "meta.k8s.io", resource: kind }, errors);
}

/** What is wrong with a list of dry runs: there is one kind alone. */
export function dryRunErrors(values: readonly string[]): FieldError[] {
  return values.every((value) => value === "All") ? [] : [notSupported("dryRun", values, ["All"])];
}

const maxManagerBytes = 128;

function managerErrors(manager: string): FieldError[] {
  const errors = byteLength(manager) > maxManagerBytes ? [tooLong("fieldManager", maxManagerBytes)] : [];
  let position = 0;
  for (const rune of manager) {
    if (goQuote(rune).includes("\\") && rune !== "\\" && rune !== '"') {
      const code = rune.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
      errors.push(invalid("fieldManager", manager, `invalid character U+${code} (at position ${position})`));
    }
    position += byteLength(rune);
  }
  return errors;
}

function isFieldValidation(value: string): value is FieldValidation | "" {
  return value === "" || value === "Strict" || value === "Warn" || value === "Ignore";
}

/** A whole number of the query; 400 in Go's words for anything else. */
export function readInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (/^[+-]?[0-9]{1,15}$/.test(text)) return Number(text);
  const why = /^[+-]?[0-9]+$/.test(text) ? "value out of range" : "invalid syntax";
  throw StatusError.badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: ${why}`);
}

/** Kubernetes takes what stands before the first slash of the user agent. */
function managerOfAgent(userAgent: string | undefined): string {
  return (userAgent ?? "unknown").split("/")[0]!.slice(0, maxManagerBytes) || "unknown";
}

function present<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V }); // one member, of that name
}
