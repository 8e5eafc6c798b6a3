import { dns1035LabelErrors, dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, invalid, namedText, notSupported, required } from "#base/field-error.ts";
import { immutable, isMissing, requiredText } from "../value-rules.ts";
import { goVersions } from "./shared-parts.ts";

/** What is wrong with a definition, but for what is inside its schemas. */
export function definitionErrors({ metadata, spec, status }: Fields): FieldError[] {
  const versions: readonly Fields[] = spec.versions ?? [];
  return [
    ...(isMissing(metadata.name) || metadata.name === `${spec.names?.plural ?? ""}.${spec.group ?? ""}`
      ? []
      : [invalid("metadata.name", metadata.name, 'must be spec.names.plural+"."+spec.group')]),
    ...groupErrors(spec.group),
    ...scopeErrors(spec.scope ?? "", "spec.scope"),
    ...versions.flatMap((version, index) =>
      version.schema?.openAPIV3Schema == null ? [required(`spec.versions[${index}].schema.openAPIV3Schema`)] : [],
    ),
    ...versions.flatMap((version, index) => versionErrors(version, `spec.versions[${index}]`)),
    ...firstVersionErrors(versions),
    ...versionListErrors(versions),
    ...["plural", "singular", "kind", "listKind"].flatMap((field) =>
      requiredText(`spec.names.${field}`, spec.names?.[field]),
    ),
    ...nameFormErrors(spec.names ?? {}, "spec.names"),
    ...conversionErrors(spec.conversion ?? {}, "spec.conversion"),
    ...storedVersionErrors(status?.storedVersions ?? [], versions),
  ];
}

/** What is wrong with the change of a definition: its names stay. */
export function definitionUpdateErrors({ spec }: Fields, old: Fields): FieldError[] {
  const established = (old.status?.conditions ?? []).some(
    ({ type, status }: Fields) => type === "Established" && status === "True",
  );
  return [
    ...(established ? immutable("spec.scope", spec.scope, old.spec.scope) : []),
    ...(established ? immutable("spec.names.kind", spec.names?.kind, old.spec.names?.kind) : []),
    ...immutable("spec.group", spec.group, old.spec.group),
    ...immutable("spec.names.plural", spec.names?.plural, old.spec.names?.plural),
  ];
}

function groupErrors(group: unknown): FieldError[] {
  if (isMissing(group)) return [required("spec.group")];
  const problems = dnsSubdomainErrors(String(group));
  if (problems.length > 0) return [invalid("spec.group", group, problems.join(","))];
  return String(group).includes(".") ? [] : [invalid("spec.group", group, "should be a domain with at least one dot")];
}

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

function versionErrors(version: Fields, path: string): FieldError[] {
  const name = dns1035LabelErrors(version.name ?? "");
  const errors = name.length > 0 ? [invalid(`${path}.name`, version.name ?? "", name.join(","))] : [];
  if (version.deprecated !== true && version.deprecationWarning != null) {
    const message = "can only be set for deprecated versions";
    errors.push(invalid(`${path}.deprecationWarning`, version.deprecationWarning, message));
  }
  return [
    ...errors,
    ...scaleErrors(version.subresources?.scale, `${path}.subresources.scale`),
    ...(version.additionalPrinterColumns ?? []).flatMap((column: Fields, index: number) =>
      columnErrors(column, `${path}.additionalPrinterColumns[${index}]`),
    ),
  ];
}

function scaleErrors(scale: Fields | undefined, path: string): FieldError[] {
  if (scale == null) return [];
  const below = (field: string, root: string): FieldError[] =>
    String(scale[field]).startsWith(root)
      ? []
      : [invalid(`${path}.${field}`, scale[field], `should be a json path under ${root}`)];
  return [
    ...(isMissing(scale.specReplicasPath)
      ? [required(`${path}.specReplicasPath`)]
      : below("specReplicasPath", ".spec")),
    ...(isMissing(scale.statusReplicasPath)
      ? [required(`${path}.statusReplicasPath`)]
      : below("statusReplicasPath", ".status")),
  ];
}

function columnErrors(column: Fields, path: string): FieldError[] {
  const errors = requiredText(`${path}.name`, column.name);
  if (isMissing(column.type)) errors.push(required(`${path}.type`, `must be one of ${columnTypes.join(",")}`));
  else if (!columnTypes.includes(column.type)) {
    errors.push(invalid(`${path}.type`, column.type, `must be one of ${columnTypes.join(",")}`));
  }
  if (!isMissing(column.format) && !columnFormats.includes(column.format)) {
    errors.push(invalid(`${path}.format`, column.format, `must be one of ${columnFormats.join(",")}`));
  }
  return [...errors, ...requiredText(`${path}.jsonPath`, column.jsonPath)];
}

function versionListErrors(versions: readonly Fields[]): FieldError[] {
  const errors: FieldError[] = [];
  const names = versions.map(({ name }) => name);
  if (new Set(names).size < names.length) {
    errors.push(invalid("spec.versions", goVersions(versions), "must contain unique version names"));
  }
  if (versions.filter(({ storage }) => storage === true).length !== 1) {
    errors.push(
      invalid("spec.versions", goVersions(versions), "must have exactly one version marked as storage version"),
    );
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

function conversionErrors({ strategy, webhook }: Fields, path: string): FieldError[] {
  if (strategy === "None") {
    return webhook == null
      ? []
      : [
          {
            path: `${path}.webhook`,
            type: "forbidden",
            detail: "should not be set when strategy is not set to Webhook",
          },
        ];
  }
  if (isMissing(strategy)) return [required(`${path}.strategy`)];
  if (strategy !== "Webhook") return [notSupported(`${path}.strategy`, namedText(strategy), ["None", "Webhook"])];
  if (webhook?.clientConfig != null) return [];
  return [required(`${path}.webhookClientConfig`, "required when strategy is set to Webhook")];
}

function storedVersionErrors(stored: readonly string[], versions: readonly Fields[]): FieldError[] {
  if (stored.length === 0) {
    return [invalid("status.storedVersions", null, "must have at least one stored version")];
  }
  const known = new Set(versions.map(({ name }) => name));
  return stored.flatMap((name, index) =>
    known.has(name)
      ? []
      : [
          invalid(
            `status.storedVersions[${index}]`,
            name,
            `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
          ),
        ],
  );
}
