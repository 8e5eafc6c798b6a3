import { labelSelectorErrors } from "#api/meta/label-selector.ts";
import { dnsLabelErrors, dnsSubdomainErrors, labelValueErrors, qualifiedNameErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, forbidden, invalid, namedText, required } from "#base/field-error.ts";
import { isMissing, textErrors } from "../value-rules.ts";
import { labelKeyErrors } from "./label-key-rules.ts";

const requiredTerms = "requiredDuringSchedulingIgnoredDuringExecution";
const preferredTerms = "preferredDuringSchedulingIgnoredDuringExecution";

/** What is wrong with the affinity of a pod. */
export function affinityErrors(affinity: Fields | undefined, path: string): FieldError[] {
  if (affinity == null) return [];
  return [
    ...nodeAffinityErrors(affinity.nodeAffinity, `${path}.nodeAffinity`),
    ...podAffinityErrors(affinity.podAffinity, `${path}.podAffinity`),
    ...podAffinityErrors(affinity.podAntiAffinity, `${path}.podAntiAffinity`),
  ];
}

function nodeAffinityErrors(affinity: Fields | undefined, path: string): FieldError[] {
  if (affinity == null) return [];
  const must = affinity[requiredTerms];
  const preferred: readonly Fields[] = affinity[preferredTerms] ?? [];
  return [
    ...(must == null ? [] : nodeSelectorErrors(must, `${path}.${requiredTerms}`)),
    ...preferred.flatMap((term, index) => [
      ...weightErrors(`${path}.${preferredTerms}[${index}].weight`, term.weight),
      ...nodeTermErrors(term.preference ?? {}, `${path}.${preferredTerms}[${index}].preference`),
    ]),
  ];
}

/** What is wrong with a selector of nodes, in pods and in persistent volumes. */
export function nodeSelectorErrors(selector: Fields, path: string): FieldError[] {
  const terms: readonly Fields[] = selector.nodeSelectorTerms ?? [];
  const at = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(at, "must have at least one node selector term")];
  return terms.flatMap((term, index) => [
    ...nodeTermErrors(term, `${at}[${index}]`),
    ...valueErrors(term.matchExpressions ?? [], `${at}[${index}].matchExpressions`),
  ]);
}

function nodeTermErrors(term: Fields, path: string): FieldError[] {
  return [
    ...(term.matchExpressions ?? []).flatMap((expression: Fields, index: number) => {
      const at = `${path}.matchExpressions[${index}]`;
      return [...operatorErrors(expression, at), ...textErrors(`${at}.key`, expression.key ?? "", qualifiedNameErrors)];
    }),
    ...(term.matchFields ?? []).flatMap((expression: Fields, index: number) =>
      fieldErrors(expression, `${path}.matchFields[${index}]`),
    ),
  ];
}

/** A node is told by its name, and by one. */
function fieldErrors({ key = "", operator = "", values = [] }: Fields, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== "In" && operator !== "NotIn") {
    errors.push(invalid(`${path}.operator`, namedText(operator), "not a valid selector operator"));
  } else if (values.length !== 1) {
    const message = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(`${path}.values`, message));
  }
  if (key !== "metadata.name") return [...errors, invalid(`${path}.key`, key, "not a valid field selector key")];
  return [
    ...errors,
    ...values.flatMap((value: string, index: number) =>
      textErrors(`${path}.values[${index}]`, value ?? "", dnsSubdomainErrors),
    ),
  ];
}

function valueErrors(expressions: readonly Fields[], path: string): FieldError[] {
  return expressions.flatMap((expression, index) =>
    (expression.values ?? []).flatMap((value: string, place: number) =>
      textErrors(`${path}[${index}].values[${place}]`, value, labelValueErrors),
    ),
  );
}

function operatorErrors({ operator, values = [] }: Fields, path: string): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length > 0) return [];
      return [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      if (values.length === 0) return [];
      return [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case "Gt":
    case "Lt":
      if (values.length === 1) return [];
      return [required(`${path}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(`${path}.operator`, namedText(operator ?? ""), "not a valid selector operator")];
  }
}

function podAffinityErrors(affinity: Fields | undefined, path: string): FieldError[] {
  if (affinity == null) return [];
  const must: readonly Fields[] = affinity[requiredTerms] ?? [];
  const preferred: readonly Fields[] = affinity[preferredTerms] ?? [];
  return [
    ...must.flatMap((term, index) => podTermErrors(term, `${path}.${requiredTerms}[${index}]`)),
    ...preferred.flatMap((term, index) => [
      ...weightErrors(`${path}.${preferredTerms}[${index}].weight`, term.weight),
      ...podTermErrors(term.podAffinityTerm ?? {}, `${path}.${preferredTerms}[${index}].podAffinityTerm`),
    ]),
  ];
}

function podTermErrors(term: Fields, path: string): FieldError[] {
  return [
    ...labelSelectorErrors(term.labelSelector, `${path}.labelSelector`),
    ...labelSelectorErrors(term.namespaceSelector, `${path}.namespaceSelector`),
    ...(term.namespaces ?? []).flatMap((name: string) => textErrors(`${path}.namespace`, name, dnsLabelErrors)),
    ...labelKeyErrors(term, path),
    ...(isMissing(term.topologyKey) ? [required(`${path}.topologyKey`, "can not be empty")] : []),
    ...textErrors(`${path}.topologyKey`, term.topologyKey ?? "", qualifiedNameErrors),
  ];
}

function weightErrors(path: string, weight: number | undefined): FieldError[] {
  const value = weight ?? 0;
  return value > 0 && value <= 100 ? [] : [invalid(path, value, "must be in the range 1-100")];
}
