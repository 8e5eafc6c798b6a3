import { isJsonObject, member } from "#base/json.ts";
import { goTypeOf } from "#base/patch/go-print.ts";

/** Why it cannot be told what kind a document is of; undefined where it can, or where it says nothing. */
export function typeMetaProblem(body: unknown): string | undefined {
  const start = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  if (body === null) return undefined;
  if (!isJsonObject(body)) return `${start} ${goTypeOf(body)} into Go value of type ${typeMeta}`;
  for (const field of ["apiVersion", "kind"]) {
    const value = member(body, field);
    if (value === undefined || value === null || typeof value === "string") continue;
    return `${start} ${goTypeOf(value)} into Go struct field .${field} of type string`;
  }
  const version = String(member(body, "apiVersion") ?? "");
  return version.split("/").length > 2 ? `unexpected GroupVersion string: ${version}` : undefined;
}

const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
