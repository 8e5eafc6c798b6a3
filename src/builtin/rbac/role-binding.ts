import { dnsSubdomainErrors, pathSegmentErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, invalid, notSupported, required } from "#base/field-error.ts";
import { goValue } from "../go-findings.ts";
import { isMissing, sameValue, textErrors } from "../value-rules.ts";

const rbacGroup = "rbac.authorization.k8s.io";

/** RoleBindings. */
export const roleBindingStrategy: Strategy = strategyOf("namespaced");

/** ClusterRoleBindings. */
export const clusterRoleBindingStrategy: Strategy = strategyOf("cluster");

type Scope = "namespaced" | "cluster";

function strategyOf(scope: Scope): Strategy {
  return {
    generation: "none",
    unconditionalUpdate: true,
    createOnUpdate: true,
    nameRule: "path-segment",
    applyDefaults: (draft: Draft) => {
      draft.roleRef ??= {};
      draft.roleRef.apiGroup ||= rbacGroup;
      for (const subject of draft.subjects ?? []) {
        if (subject.kind === "User" || subject.kind === "Group") subject.apiGroup ||= rbacGroup;
      }
    },
    validate: (object: Fields) => [
      ...roleErrors(object.roleRef, scope),
      ...(object.subjects ?? []).flatMap((subject: Fields, index: number) =>
        subjectErrors(subject, `subjects[${index}]`, scope),
      ),
    ],
    validateUpdate: (object: Fields, old: Fields) =>
      sameValue(object.roleRef, old.roleRef)
        ? []
        : [invalid("roleRef", goValue("rbac.RoleRef", object.roleRef), "cannot change roleRef")],
  };
}

function roleErrors(role: Fields, scope: Scope): FieldError[] {
  const kinds = scope === "namespaced" ? ["Role", "ClusterRole"] : ["ClusterRole"];
  return [
    ...(role.apiGroup === rbacGroup ? [] : [notSupported("roleRef.apiGroup", role.apiGroup, [rbacGroup])]),
    ...(kinds.includes(role.kind) ? [] : [notSupported("roleRef.kind", role.kind ?? "", kinds)]),
    ...(isMissing(role.name) ? [required("roleRef.name")] : textErrors("roleRef.name", role.name, pathSegmentErrors)),
  ];
}

function subjectErrors(subject: Fields, path: string, scope: Scope): FieldError[] {
  const errors = isMissing(subject.name) ? [required(`${path}.name`)] : [];
  const group = subject.apiGroup ?? "";
  switch (subject.kind) {
    case "ServiceAccount":
      if (!isMissing(subject.name)) errors.push(...textErrors(`${path}.name`, subject.name, dnsSubdomainErrors));
      if (group !== "") errors.push(notSupported(`${path}.apiGroup`, group, [""]));
      if (scope === "cluster" && isMissing(subject.namespace)) errors.push(required(`${path}.namespace`));
      return errors;
    case "User":
    case "Group":
      if (group !== rbacGroup) errors.push(notSupported(`${path}.apiGroup`, group, [rbacGroup]));
      return errors;
    default:
      return [...errors, notSupported(`${path}.kind`, subject.kind ?? "", ["ServiceAccount", "User", "Group"])];
  }
}
