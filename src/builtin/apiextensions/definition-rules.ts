import { dns1035LabelErrors, dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, invalid, notSupported, required } from "#base/field-error.ts";
import { asSent } from "../sent-empty.ts";
import { immutable, isMissing, requiredText } from "../value-rules.ts";
import { approvalErrors } from "./api-approval.ts";
import { conversionErrors } from "./conversion-rules.ts";
import { goVersions, type SharedSpec, sharedSpec } from "./shared-parts.ts";
import { columnErrors, scaleErrors, versionErrors } from "./version-rules.ts";

/** What is wrong with a definition, but for what is inside its schemas and what they say of selectable fields. */
export function definitionErrors({ spec, status }: Fields): FieldError[] {
  const shared = sharedSpec(spec);
  return [
    ...groupErrors(spec.group),
    ...scopeErrors(spec.scope ?? "", "spec.scope"),
    ...(shared.whole["schema"]?.openAPIV3Schema == null
      ? shared.versions.flatMap(({ schema }, index) =>
          schema?.openAPIV3Schema == null ? [required(`spec.versions[${index}].schema.openAPIV3Schema`)] : [],
        )
      : []),
    ...shared.versions.flatMap((version, index) => versionErrors(version, `spec.versions[${index}]`)),
    ...scaleErrors(shared.whole["subresources"]?.scale, "spec.subresources.scale"),
    ...(shared.whole["additionalPrinterColumns"] ?? []).flatMap((column: Fields, index: number) =>
      columnErrors(column, `spec.additionalPrinterColumns[${index}]`),
    ),
    ...firstVersionErrors(shared.versions),
    ...versionListErrors(asSent(spec, "versions"), shared),
    ...["plural", "singular", "kind", "listKind"].flatMap((field) =>
      requiredText(`spec.names.${field}`, spec.names?.[field]),
    ),
    ...nameFormErrors(spec.names ?? {}, "spec.names"),
    ...conversionErrors(spec, "spec.conversion"),
    ...preservationErrors(spec),
    ...storedVersionErrors(status?.storedVersions ?? [], shared.versions),
  ];
}

/** What is wrong with a new definition alone: its name says what it defines, and some groups are not for everybody. */
export function newDefinitionErrors({ metadata, spec }: Fields): FieldError[] {
  const name = `${spec.names?.plural ?? ""}.${spec.group ?? ""}`;
  return [
    ...(isMissing(metadata.name) || metadata.name === name
      ? []
      : [invalid("metadata.name", metadata.name, 'must be spec.names.plural+"."+spec.group')]),
    ...approvalErrors(spec.group ?? "", metadata.annotations),
  ];
}

/** What is wrong with the change of a definition: its names stay. */
export function definitionUpdateErrors({ spec, metadata }: Fields, old: Fields): FieldError[] {
  const established = (old.status?.conditions ?? []).some(
    ({ type, status }: Fields) => type === "Established" && status === "True",
  );
  return [
    ...(established ? immutable("spec.scope", spec.scope ?? "", old.spec.scope ?? "") : []),
    ...(established ? immutable("spec.names.kind", spec.names?.kind ?? "", old.spec.names?.kind ?? "") : []),
    ...immutable("spec.group", spec.group ?? "", old.spec.group ?? ""),
    ...immutable("spec.names.plural", spec.names?.plural ?? "", old.spec.names?.plural ?? ""),
    ...approvalErrors(spec.group ?? "", metadata.annotations, old.metadata.annotations ?? {}),
  ];
}

function groupErrors(group: unknown): FieldError[] {
  if (isMissing(group)) return [required("spec.group")];
  const problems = dnsSubdomainErrors(String(group));
  if (problems.length > 0) return [invalid("spec.group", group, problems.join(","))];
  return String(group).includes(".") ? [] : [invalid("spec.group", group, "should be a domain with at least one dot")];
}

function versionListErrors(given: unknown, shared: SharedSpec): FieldError[] {
  const errors: FieldError[] = [];
  const names = shared.versions.map(({ name }) => name ?? "");
  if (new Set(names).size < names.length)
    errors.push(invalid("spec.versions", goVersions(given, shared), "must contain unique version names"));
  if (shared.versions.filter(({ storage }) => storage === true).length !== 1) {
    const detail = "must have exactly one version marked as storage version";
    errors.push(invalid("spec.versions", goVersions(given, shared), detail));
  }
  return errors;
}

/** Upstream keeps the first version in a field of its own, too. */
function firstVersionErrors([first]: readonly Fields[]): FieldError[] {
  const name: string = first?.name ?? "";
  const problems = name === "" ? [] : dns1035LabelErrors(name);
  return problems.length === 0 ? [] : [invalid("spec.version", name, problems.join(","))];
}

function scopeErrors(scope: string, path: string): FieldError[] {
  const known = ["Cluster", "Namespaced"];
  if (scope === "") return [required(path)];
  return known.includes(scope) ? [] : [notSupported(path, scope, known)];
}

/** What is wrong with names of a definition, those that it asks for or those that it got; all may be missing. */
export function nameFormErrors(names: Fields, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const judge = (field: string, value: string, prefix = ""): void => {
    const problems = dns1035LabelErrors(prefix === "" ? value : value.toLowerCase());
    if ((value !== "" || field.endsWith("]")) && problems.length > 0) {
      errors.push(invalid(`${path}.${field}`, value, `${prefix}${problems.join(",")}`));
    }
  };
  const mixed = "may have mixed case, but should otherwise match: ";
  judge("plural", names.plural ?? "");
  judge("singular", names.singular ?? "");
  judge("kind", names.kind ?? "", mixed);
  judge("listKind", names.listKind ?? "", mixed);
  for (const [index, name] of (names.shortNames ?? []).entries()) judge(`shortNames[${index}]`, name);
  if (!isMissing(names.kind) && names.kind === names.listKind) {
    errors.push(invalid(`${path}.listKind`, names.listKind, "kind and listKind may not be the same"));
  }
  for (const [index, name] of (names.categories ?? []).entries()) judge(`categories[${index}]`, name);
  return errors;
}

/** Fields that no schema knows are kept where a schema says so, and not by the definition. */
function preservationErrors({ preserveUnknownFields, versions }: Fields): FieldError[] {
  if (preserveUnknownFields !== true) return [];
  const path = "spec.preserveUnknownFields";
  const instead = "set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [
    ...(hasDefaults(versions) ? [invalid(path, true, "must be false in order to use defaults in the schema")] : []),
    invalid(path, true, `cannot set to true, ${instead}`),
  ];
}

function hasDefaults(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  return Object.entries(node).some(([key, value]) => (key === "default" && value != null) || hasDefaults(value));
}

function storedVersionErrors(stored: readonly string[], versions: readonly Fields[]): FieldError[] {
  const path = "status.storedVersions";
  if (stored.length === 0) return [invalid(path, null, "must have at least one stored version")];
  const known = new Set(versions.map(({ name }) => name ?? ""));
  // each is looked for once: of two versions of a name the second is not among them
  const unsaid = versions.filter(
    ({ storage, name = "" }, index) =>
      storage === true &&
      (!stored.includes(name) || versions.findIndex((each) => (each["name"] ?? "") === name) < index),
  );
  return [
    ...unsaid.map(({ name = "" }) => invalid(path, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, index) =>
      known.has(name)
        ? []
        : [
            invalid(
              `${path}[${index}]`,
              name,
              `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
            ),
          ],
    ),
  ];
}
