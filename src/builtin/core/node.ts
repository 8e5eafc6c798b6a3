import { labelValueErrors, qualifiedNameErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { duplicate, type FieldError, forbidden, invalid } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import { cidrErrors } from "../address-rules.ts";
import { amountErrors } from "../resource-amounts.ts";
import { requiredOneOf, sameValue, textErrors } from "../value-rules.ts";
import { canonicalResourceList } from "./canonical-quantities.ts";

/** Nodes. A node may bring its status when it is created. */
export const nodeStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  fieldSelectors: { "spec.unschedulable": ({ spec }: Fields) => String(spec?.unschedulable ?? false) },
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    defaultStatus(draft);
  },
  prepareStatus: (draft, old: Fields) => {
    defaultStatus(draft);
    if (old.status?.config == null) delete draft.status.config; // no longer used
  },
  validate: ({ spec }: Fields) => [
    ...taintErrors(spec?.taints ?? [], "metadata.taints"),
    ...(spec?.podCIDRs ?? []).flatMap((cidr: string, index: number) => cidrErrors(`spec.podCIDRs[${index}]`, cidr)),
  ],
  validateUpdate: updateErrors,
  validateStatus: ({ status }: Fields) => [
    ...["capacity", "allocatable"].flatMap((list) =>
      Object.entries(status?.[list] ?? {}).flatMap(([name, amount]) =>
        amountErrors(`status.${list}.${name}`, name, amount),
      ),
    ),
    ...featureErrors(status?.declaredFeatures ?? [], "status.declaredFeatures"),
    ...addressErrors(status?.addresses ?? []),
  ],
};

function defaultStatus(draft: Draft): void {
  draft.status ??= {};
  const { status } = draft;
  canonicalResourceList(status.capacity);
  if (status.allocatable == null && status.capacity != null) status.allocatable = { ...status.capacity };
  canonicalResourceList(status.allocatable);
  // Go structs that are always printed
  status.daemonEndpoints ??= { kubeletEndpoint: { Port: 0 } };
  status.nodeInfo = { ...emptyInfo, ...status.nodeInfo };
}

const emptyInfo = Object.fromEntries(
  [
    ...["machineID", "systemUUID", "bootID", "kernelVersion", "osImage", "containerRuntimeVersion", "kubeletVersion"],
    ...["kubeProxyVersion", "operatingSystem", "architecture"],
  ].map((field) => [field, ""]),
);

const featureRule =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";

function featureErrors(features: readonly string[], path: string): FieldError[] {
  return features.flatMap((feature, index) => {
    const at = `${path}[${index}]`;
    const named = (problem: string) => [invalid(at, feature, `invalid feature name ${goQuote(feature)}: ${problem}`)];
    const errors: FieldError[] = [];
    const before = features[index - 1];
    if (before === feature) errors.push(duplicate(at, feature));
    else if (before !== undefined && before > feature)
      errors.push(invalid(at, feature, "list must be sorted alphabetically"));
    if (feature.length > 253) return [...errors, ...named("must be no more than 253 characters")];
    const fits = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/.test(feature);
    return [...errors, ...(fits ? [] : named(featureRule))];
  });
}

function addressErrors(addresses: readonly Fields[]): FieldError[] {
  const seen = new Set<string>();
  return addresses.flatMap(({ type = "", address = "" }, index) => {
    const key = `${type} ${address}`;
    const again = seen.has(key);
    seen.add(key);
    return again ? [duplicate(`status.addresses[${index}]`, { Type: type, Address: address })] : [];
  });
}

function taintErrors(taints: readonly Fields[], path: string): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const at = `${path}[${index}]`;
    const errors = textErrors(`${at}.key`, taint.key ?? "", qualifiedNameErrors);
    const value = labelValueErrors(taint.value ?? "");
    if (value.length > 0) errors.push(invalid(`${at}.value`, taint.value, value.join(";")));
    errors.push(...requiredOneOf(`${at}.effect`, taint.effect, ["NoSchedule", "PreferNoSchedule", "NoExecute"]));
    const sort = `${taint.effect}/${taint.key}`;
    if (seen.has(sort)) {
      errors.push({ ...duplicate(at, taint), detail: "taints must be unique by key and effect pair" });
    }
    seen.add(sort);
    return errors;
  });
}

function updateErrors({ spec = {} }: Fields, old: Fields): FieldError[] {
  const before: Fields = old.spec ?? {};
  const errors: FieldError[] = [];
  if ((before.podCIDRs ?? []).length > 0 && !sameValue(spec.podCIDRs, before.podCIDRs)) {
    errors.push(forbidden("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid'));
  }
  if (before.providerID && spec.providerID !== before.providerID) {
    errors.push(forbidden("spec.providerID", 'node updates may not change providerID except from "" to valid'));
  }
  return errors;
}
