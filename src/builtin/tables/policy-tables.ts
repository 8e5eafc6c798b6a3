import type { Fields } from "#api/meta/object-meta.ts";
import { age, ageOf, createdAt, name, selectorText, type TableSketch } from "./table-sketch.ts";

/** Bindings of roles to those who have them. */
export function bindingTable(kind: string): TableSketch {
  return {
    columns: [
      name,
      { name: "Role", field: "roleRef" },
      age,
      { name: "Users", wide: true, about: `Users in the ${kind}` },
      { name: "Groups", wide: true, about: `Groups in the ${kind}` },
      { name: "ServiceAccounts", wide: true, about: `ServiceAccounts in the ${kind}` },
    ],
    cells: (object, nowMs) => {
      const subjects: readonly Fields[] = object.subjects ?? [];
      const of = (wanted: string): readonly Fields[] => subjects.filter((subject) => subject.kind === wanted);
      return [
        object.metadata.name,
        `${object.roleRef?.kind ?? ""}/${object.roleRef?.name ?? ""}`,
        ageOf(object, nowMs),
        of("User")
          .map((subject) => subject.name)
          .join(", "),
        of("Group")
          .map((subject) => subject.name)
          .join(", "),
        of("ServiceAccount")
          .map((subject) => `${subject.namespace ?? ""}/${subject.name}`)
          .join(", "),
      ];
    },
  };
}

/** Webhook configurations: how many webhooks they have. */
export const webhookTable: TableSketch = {
  columns: [
    name,
    {
      name: "Webhooks",
      type: "integer",
      about: "Webhooks indicates the number of webhooks registered in this configuration",
    },
    age,
  ],
  cells: (object, nowMs) => [object.metadata.name, (object.webhooks ?? []).length, ageOf(object, nowMs)],
};

/** Admission policies, by the list of what they do. */
export function admissionPolicyTable(list: "validations" | "mutations"): TableSketch {
  const title = list === "validations" ? "Validations" : "Mutations";
  const what = list === "validations" ? "validation rules" : "mutations rules";
  return {
    columns: [
      name,
      { name: title, type: "integer", about: `${title} indicates the number of ${what} defined in this configuration` },
      { name: "ParamKind", about: "ParamKind specifies the kind of resources used to parameterize this policy" },
      age,
    ],
    cells: (object, nowMs) => {
      const { paramKind } = object.spec ?? {};
      const shown = paramKind == null ? "<unset>" : `${paramKind.apiVersion ?? ""}/${paramKind.kind ?? ""}`;
      return [object.metadata.name, (object.spec?.[list] ?? []).length, shown, ageOf(object, nowMs)];
    },
  };
}

/** Bindings of admission policies: to what, with which parameters. */
export const admissionPolicyBindingTable: TableSketch = {
  columns: [
    name,
    { name: "PolicyName", about: "PolicyName indicates the policy definition which the policy binding binded to" },
    { name: "ParamRef", about: "ParamRef indicates the param resource which sets the configuration param" },
    age,
  ],
  cells: (object, nowMs) => [
    object.metadata.name,
    object.spec?.policyName ?? "",
    parameterText(object.spec?.paramRef),
    ageOf(object, nowMs),
  ],
};

function parameterText(reference: Fields | undefined): string {
  if (reference?.name) return `${reference.namespace || "*"}/${reference.name}`;
  return reference?.selector == null ? "<unset>" : selectorText(reference.selector);
}

/** CustomResourceDefinitions: what they serve. */
export const definitionTable: TableSketch = {
  columns: [
    name,
    { name: "Scope", field: "spec.scope" },
    { name: "Versions", about: "The versions that are served." },
    createdAt,
    { name: "Group", wide: true, field: "spec.group" },
    { name: "Kind", wide: true, field: "spec.names.kind" },
    { name: "ShortNames", wide: true, field: "spec.names.shortNames" },
    { name: "Established", type: "boolean", wide: true, about: "Whether objects of this definition are served." },
  ],
  cells: ({ metadata, spec = {}, status = {} }) => [
    metadata.name,
    spec.scope ?? "",
    (spec.versions ?? [])
      .filter(({ served }: Fields) => served === true)
      .map((version: Fields) => version.name)
      .join(","),
    metadata.creationTimestamp ?? null,
    spec.group ?? "",
    spec.names?.kind ?? "",
    (spec.names?.shortNames ?? []).join(","),
    (status.conditions ?? []).some(({ type, status: is }: Fields) => type === "Established" && is === "True"),
  ],
};
