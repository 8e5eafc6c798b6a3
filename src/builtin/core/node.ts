import { labelValueErrors, qualifiedNameErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { duplicate, type FieldError, forbidden, invalid } from "#base/field-error.ts";
import { cidrErrors } from "../address-rules.ts";
import { requiredOneOf, sameValue, textErrors } from "../value-rules.ts";
import { canonicalResourceList } from "./canonical-quantities.ts";

/** Nodes. A node may bring its status when it is created. */
export const nodeStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  fieldSelectors: { "spec.unschedulable": ({ spec }: Fields) => String(spec?.unschedulable ?? false) },
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    draft.status ??= {};
    canonicalResourceList(draft.status.capacity);
    if (draft.status.allocatable == null && draft.status.capacity != null) {
      draft.status.allocatable = { ...draft.status.capacity };
    }
    canonicalResourceList(draft.status.allocatable);
    // Go structs that are always printed
    draft.status.daemonEndpoints ??= { kubeletEndpoint: { Port: 0 } };
    draft.status.nodeInfo = { ...emptyInfo, ...draft.status.nodeInfo };
  },
  validate: ({ spec }: Fields) => [
    ...taintErrors(spec?.taints ?? [], "metadata.taints"),
    ...(spec?.podCIDRs ?? []).flatMap((cidr: string, index: number) => cidrErrors(`spec.podCIDRs[${index}]`, cidr)),
  ],
  validateUpdate: updateErrors,
};

const emptyInfo = Object.fromEntries(
  [
    ...["machineID", "systemUUID", "bootID", "kernelVersion", "osImage", "containerRuntimeVersion", "kubeletVersion"],
    ...["kubeProxyVersion", "operatingSystem", "architecture"],
  ].map((field) => [field, ""]),
);

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
