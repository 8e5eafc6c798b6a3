import type { CallOptions } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type FieldError, forbidden, notSupported } from "#base/field-error.ts";

const field = "resourceVersionMatch";

/** Throws the 422 about options that do not go together in a list. */
export function expectListOptions(options: CallOptions): void {
  const { resourceVersionMatch: match = "", resourceVersion = "", continue: token = "", sendInitialEvents } = options;
  if (match === "" && sendInitialEvents === undefined) return;
  const errors: FieldError[] = [];
  if (match !== "") {
    if (resourceVersion === "") {
      errors.push(forbidden(field, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
    }
    if (token !== "") errors.push(forbidden(field, "resourceVersionMatch is forbidden when continue is provided"));
    if (match !== "Exact" && match !== "NotOlderThan") {
      errors.push(notSupported(field, match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && resourceVersion === "0") {
      errors.push(forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  refuse(errors);
}

/** The same for a watch. */
export function expectWatchOptions(options: CallOptions): void {
  const { resourceVersionMatch: match = "", continue: token = "", sendInitialEvents } = options;
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    errors.push(forbidden(field, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (match !== "") {
    if (sendInitialEvents === undefined) {
      errors.push(forbidden(field, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
    }
    if (match !== "NotOlderThan") errors.push(notSupported(field, match, ["NotOlderThan"]));
    if (token !== "") errors.push(forbidden(field, "resourceVersionMatch is forbidden when continue is provided"));
  }
  refuse(errors);
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw StatusError.invalid({ group: "meta.k8s.io", resource: "ListOptions" }, errors);
}
