import { dnsSubdomainErrors, patternMessage } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, forbidden, invalid, required } from "#base/field-error.ts";
import { immutable, isMissing, oneOf, optionalText, requiredText, textErrors } from "../value-rules.ts";

/** IngressClasses. */
export const ingressClassStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    if (draft.spec.parameters != null) draft.spec.parameters.scope ??= "Cluster";
  },
  validate: ({ spec }: Fields) => [
    ...domainPathErrors("spec.controller", spec.controller ?? ""),
    ...(spec.parameters == null ? [] : parameterErrors(spec.parameters, "spec.parameters")),
  ],
  validateUpdate: ({ spec }: Fields, old: Fields) => immutable("spec.controller", spec.controller, old.spec.controller),
};

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const httpPathPattern = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

function domainPathErrors(path: string, value: string): FieldError[] {
  if (value === "") return [required(path)];
  const slash = value.indexOf("/");
  const [domain, rest] = [value.slice(0, Math.max(slash, 0)), value.slice(slash + 1)];
  if (domain === "" || rest === "") {
    return [invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const errors = textErrors(path, domain, dnsSubdomainErrors);
  if (!httpPathPattern.test(rest)) errors.push(invalid(path, rest, patternMessage("Invalid path", httpPath)));
  return errors;
}

function parameterErrors(parameters: Fields, path: string): FieldError[] {
  const errors = [
    ...optionalText(`${path}.apiGroup`, parameters.apiGroup, dnsSubdomainErrors),
    ...requiredText(`${path}.kind`, parameters.kind),
    ...requiredText(`${path}.name`, parameters.name),
    ...oneOf(`${path}.scope`, parameters.scope, ["Cluster", "Namespace"]),
  ];
  if (parameters.scope === "Namespace" && isMissing(parameters.namespace)) {
    errors.push(required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
  }
  if (parameters.scope === "Cluster" && parameters.namespace != null) {
    errors.push(forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  }
  return errors;
}
