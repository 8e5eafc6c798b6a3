import { dnsLabelErrors, dnsSubdomainErrors, pathSegmentErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, forbidden, notSupported, required, tooLong } from "#base/field-error.ts";
import { domainPathErrors } from "../domain-path.ts";
import { givenText, immutable, isMissing, textErrors } from "../value-rules.ts";

/** IngressClasses. */
export const ingressClassStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    if (draft.spec.parameters != null) draft.spec.parameters.scope ??= "Cluster";
  },
  validate: ({ spec }: Fields) => [
    ...(byteLength(spec.controller ?? "") > 250 ? [tooLong("spec.controller", 250)] : []),
    ...domainPathErrors("spec.controller", spec.controller ?? ""),
    ...(spec.parameters == null ? [] : parameterErrors(spec.parameters, "spec.parameters")),
  ],
  validateUpdate: ({ spec }: Fields, old: Fields) =>
    immutable("spec.controller", spec.controller ?? "", old.spec.controller ?? ""),
};

const scopes = ["Cluster", "Namespace"];

function parameterErrors(parameters: Fields, path: string): FieldError[] {
  const errors = [
    ...givenText(`${path}.apiGroup`, parameters.apiGroup, dnsSubdomainErrors),
    ...["kind", "name"].flatMap((field) =>
      isMissing(parameters[field])
        ? [required(`${path}.${field}`)]
        : textErrors(`${path}.${field}`, parameters[field], pathSegmentErrors),
    ),
    ...(scopes.includes(parameters.scope) ? [] : [notSupported(`${path}.scope`, parameters.scope ?? "", scopes)]),
  ];
  if (parameters.scope === "Namespace") {
    errors.push(
      ...(parameters.namespace == null
        ? [required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'")]
        : textErrors(`${path}.namespace`, parameters.namespace, dnsLabelErrors)),
    );
  }
  if (parameters.scope === "Cluster" && parameters.namespace != null) {
    errors.push(forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  }
  return errors;
}
