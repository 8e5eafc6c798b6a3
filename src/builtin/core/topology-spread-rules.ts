import { labelSelectorErrors } from "#api/meta/label-selector.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { duplicate, type FieldError, invalid, namedText, notSupported, required } from "#base/field-error.ts";
import { isMissing, oneOfGiven } from "../value-rules.ts";
import { labelKeyErrors } from "./label-key-rules.ts";

const actions = ["DoNotSchedule", "ScheduleAnyway"];

/** What is wrong with the rules that spread pods over topologies. */
export function topologySpreadErrors(constraints: readonly Fields[], path: string): FieldError[] {
  return constraints.flatMap((constraint, index) => {
    const at = `${path}[${index}]`;
    const { topologyKey = "", whenUnsatisfiable = "" } = constraint;
    const again = constraints
      .slice(index + 1)
      .some(
        (other) => (other.topologyKey ?? "") === topologyKey && (other.whenUnsatisfiable ?? "") === whenUnsatisfiable,
      );
    return [
      ...positive(`${at}.maxSkew`, constraint.maxSkew ?? 0),
      ...(isMissing(topologyKey) ? [required(`${at}.topologyKey`, "can not be empty")] : []),
      ...(actions.includes(whenUnsatisfiable)
        ? []
        : [notSupported(`${at}.whenUnsatisfiable`, namedText(whenUnsatisfiable), actions)]),
      ...(again ? [duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`)] : []),
      ...domainErrors(`${at}.minDomains`, constraint.minDomains, whenUnsatisfiable),
      ...["nodeAffinityPolicy", "nodeTaintsPolicy"].flatMap((field) =>
        oneOfGiven(`${at}.${field}`, constraint[field], ["Honor", "Ignore"]),
      ),
      ...labelKeyErrors({ ...constraint, mismatchLabelKeys: [] }, at),
      ...labelSelectorErrors(constraint.labelSelector, `${at}.labelSelector`),
    ];
  });
}

function positive(path: string, value: number): FieldError[] {
  return value > 0 ? [] : [invalid(path, value, "must be greater than zero")];
}

function domainErrors(path: string, domains: number | null | undefined, action: string): FieldError[] {
  if (domains == null) return [];
  const message = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  return [...positive(path, domains), ...(action === "DoNotSchedule" ? [] : [invalid(path, domains, message)])];
}
