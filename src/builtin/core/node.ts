import { labelValueErrors, qualifiedNameErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { duplicate, type FieldError, forbidden, invalid } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import { parseCidr } from "#base/ip-address.ts";
import { cidrErrors } from "../address-rules.ts";
import { amountErrors } from "../resource-amounts.ts";
import { requiredOneOf, sameValue, textErrors } from "../value-rules.ts";
import { cidrWarnings } from "../warnings/address-warnings.ts";
import { canonicalResourceList } from "./canonical-quantities.ts";

/** Nodes. A node may bring its status when it is created. */
export const nodeStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  bringsStatus: true,
  fieldSelectors: { "spec.unschedulable": ({ spec }: Fields) => String(spec?.unschedulable ?? false) },
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    delete draft.spec.configSource; // no longer used
    mirrorPodCidr(draft.spec);
    defaultStatus(draft);
  },
  prepareForCreate: (draft) => {
    delete draft.status.config;
  },
  warnings: ({ spec }: Fields) => [
    ...(spec?.externalID ? ["spec.externalID: this field is deprecated, and is unused by Kubernetes"] : []),
    ...(spec?.podCIDRs ?? []).flatMap((cidr: string, index: number) => cidrWarnings(`spec.podCIDRs[${index}]`, cidr)),
  ],
  prepareStatus: (draft, old: Fields) => {
    defaultStatus(draft);
    if (old.status?.config == null) delete draft.status.config; // no longer used
  },
  validate: ({ spec }: Fields) => [
    ...taintErrors(spec?.taints ?? [], "metadata.taints"),
    ...podCidrErrors(spec?.podCIDRs ?? [], "spec.podCIDRs"),
  ],
  validateNew: ({ status }: Fields) => resourceErrors(status),
  validateUpdate: updateErrors,
  validateStatus: ({ status }: Fields) => [...resourceErrors(status), ...addressErrors(status?.addresses ?? [])],
};

function resourceErrors(status: Fields | undefined): FieldError[] {
  return [
    ...["capacity", "allocatable"].flatMap((list) =>
      Object.entries(status?.[list] ?? {}).flatMap(([name, amount]) =>
        amountErrors(`status.${list}.${name}`, name, amount),
      ),
    ),
    ...featureErrors(status?.declaredFeatures ?? [], "status.declaredFeatures"),
  ];
}

/** The older of the two fields counts where both are there. */
function mirrorPodCidr(spec: Fields): void {
  const [first] = spec.podCIDRs ?? [];
  if (!spec.podCIDR) {
    if (first !== undefined) spec.podCIDR = first;
  } else if (first !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
}

function podCidrErrors(cidrs: readonly string[], path: string): FieldError[] {
  const errors = cidrs.flatMap((cidr, index) => cidrErrors(`${path}[${index}]`, cidr));
  if (cidrs.length < 2) return errors;
  const networks = cidrs.map((cidr) => parseCidr(cidr));
  const bad = networks.indexOf(undefined);
  if (bad >= 0) {
    const problem = `invalid CIDR[${bad}]: <nil> (invalid CIDR address: ${cidrs[bad]})`;
    const detail = `invalid PodCIDRs. failed to check with dual stack with error:${problem}`;
    errors.push({ path, type: "internal", detail });
  }
  const both = bad < 0 && new Set(networks.map((network) => network?.family)).size === 2;
  if (both && cidrs.length === 2) return errors;
  return [...errors, invalid(path, cidrs, "may specify no more than one CIDR for each IP family")];
}

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
      const { key = "", value: own = "", effect = "", timeAdded = null } = taint;
      const shown = { Key: key, Value: own, Effect: effect, TimeAdded: timeAdded };
      errors.push({ ...duplicate(at, shown), detail: "taints must be unique by key and effect pair" });
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
  if ((spec.externalID ?? "") !== (before.externalID ?? "")) {
    errors.push(forbidden("spec.externalID", "may not be updated"));
  }
  if (before.providerID && spec.providerID !== before.providerID) {
    errors.push(forbidden("spec.providerID", 'node updates may not change providerID except from "" to valid'));
  }
  return errors;
}
