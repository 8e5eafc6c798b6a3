import { dnsLabelErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, forbidden, invalid } from "#base/field-error.ts";
import { withDifference } from "../go-findings.ts";
import { rememberingAs } from "../sent-empty.ts";
import { isMissing, sameValue } from "../value-rules.ts";
import { defaultPod } from "./pod-defaults.ts";
import { podSpecErrors } from "./pod-spec-rules.ts";
import { podStatusErrors } from "./pod-status-rules.ts";
import { qosClassOf } from "./qos-class.ts";

/** Pods: the only kind that is deleted gracefully, and of whose spec almost nothing may change. */
export const podStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  gracefulDeletion: true,
  fieldSelectors: {
    "spec.nodeName": ({ spec }: Fields) => spec?.nodeName ?? "",
    "spec.restartPolicy": ({ spec }: Fields) => spec?.restartPolicy ?? "",
    "spec.schedulerName": ({ spec }: Fields) => spec?.schedulerName ?? "",
    "spec.serviceAccountName": ({ spec }: Fields) => spec?.serviceAccountName ?? "",
    "spec.hostNetwork": ({ spec }: Fields) => String(spec?.hostNetwork ?? false),
    "status.phase": ({ status }: Fields) => status?.phase ?? "",
    "status.podIP": ({ status }: Fields) => status?.podIPs?.[0]?.ip ?? status?.podIP ?? "",
    "status.podIPs": ({ status }: Fields) => status?.podIPs?.[0]?.ip ?? status?.podIP ?? "",
    "status.nominatedNodeName": ({ status }: Fields) => status?.nominatedNodeName ?? "",
  },
  applyDefaults: defaultPod,
  prepareForCreate: startPending,
  prepareStatus: (draft, old: Fields) => {
    // old kubelets leave it out
    const qosClass = draft.status?.qosClass || old.status?.qosClass;
    if (qosClass) draft.status = { ...draft.status, qosClass };
  },
  validate: ({ spec = {} }: Fields) => [...podSpecErrors(spec, "spec"), ...tokenErrors(spec)],
  validateNew: ({ spec = {} }: Fields) =>
    (spec.ephemeralContainers ?? []).length === 0
      ? []
      : [forbidden("spec.ephemeralContainers", "cannot be set on create")],
  validateUpdate: updateErrors,
  validateStatus: podStatusErrors,
  warnings: (object) => {
    const problems = dnsLabelErrors(object.metadata.name);
    if (problems.length === 0) return [];
    const advice =
      "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
    return [`metadata.name: ${advice}: [${problems.join(" ")}]`];
  },
};

function startPending(draft: Draft): void {
  draft.status = { phase: "Pending", qosClass: qosClassOf(draft.spec) };
  if ((draft.spec.schedulingGates ?? []).length > 0) {
    const message = "Scheduling is blocked due to non-empty scheduling gates";
    const times = { lastProbeTime: null, lastTransitionTime: draft.metadata.creationTimestamp };
    draft.status.conditions = [{ type: "PodScheduled", status: "False", reason: "SchedulingGated", message, ...times }];
  }
}

/** A token is of an account: one that nobody named cannot be projected. */
function tokenErrors(spec: Fields): FieldError[] {
  if (!isMissing(spec.serviceAccountName)) return [];
  return (spec.volumes ?? []).flatMap((volume: Fields, index: number) =>
    (volume.projected?.sources ?? []).flatMap((source: Fields, place: number) => {
      const path = `spec.volumes[${index}].projected.sources[${place}].serviceAccountToken`;
      const message = "must not be specified when serviceAccountName is not set";
      return source.serviceAccountToken == null ? [] : [forbidden(path, message)];
    }),
  );
}

const updatable = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

function updateErrors(object: Fields, old: Fields): FieldError[] {
  const { spec } = object;
  for (const list of ["containers", "initContainers"]) {
    const { errors, stop } = containerUpdateErrors(spec[list] ?? [], old.spec[list] ?? [], `spec.${list}`);
    if (stop || errors.length > 0) return errors;
  }
  const errors = [
    ...deadlineErrors(spec, old.spec),
    ...addedTolerationErrors(spec, old.spec),
    ...gateErrors(spec, old.spec),
  ];
  const next = withUpdatableOf(spec, old.spec);
  if (!sameValue(next, old.spec)) {
    const error = forbidden("spec", `pod updates may not change fields other than ${updatable}`);
    errors.push(withDifference(error, { type: "core.PodSpec", old: old.spec, next }));
  }
  return errors;
}

function containerUpdateErrors(
  now: readonly Fields[],
  before: readonly Fields[],
  path: string,
): { errors: FieldError[]; stop: boolean } {
  if (now.length !== before.length) {
    return { errors: [forbidden(path, "pod updates may not add or remove containers")], stop: true };
  }
  const errors = now.flatMap(({ image }, index) => {
    const trimmed = String(image ?? "").trim() === (image ?? "");
    return trimmed ? [] : [invalid(`${path}[${index}].image`, image, "must not have leading or trailing whitespace")];
  });
  return { errors, stop: false };
}

function deadlineErrors(spec: Fields, old: Fields): FieldError[] {
  const path = "spec.activeDeadlineSeconds";
  const [now, before] = [spec.activeDeadlineSeconds, old.activeDeadlineSeconds];
  if (now === before) return [];
  if (now == null) {
    return before == null ? [] : [invalid(path, null, "must not update from a positive integer to nil value")];
  }
  if (now < 0 || now > 2 ** 31 - 1) return [invalid(path, now, "must be between 0 and 2147483647, inclusive")];
  return before != null && before < now ? [invalid(path, now, "must be less than or equal to previous value")] : [];
}

function addedTolerationErrors(spec: Fields, old: Fields): FieldError[] {
  const now: readonly Fields[] = spec.tolerations ?? [];
  const kept = (old.tolerations ?? []).every((before: Fields) =>
    now.some((toleration) =>
      sameValue({ ...toleration, tolerationSeconds: undefined }, { ...before, tolerationSeconds: undefined }),
    ),
  );
  if (kept) return [];
  return [forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")];
}

function gateErrors(spec: Fields, old: Fields): FieldError[] {
  const before = new Set((old.schedulingGates ?? []).map((gate: Fields) => gate.name));
  return (spec.schedulingGates ?? []).flatMap(({ name }: Fields, index: number) => {
    if (before.has(name)) return [];
    const message = `only deletion is allowed, but found new scheduling gate '${name ?? ""}'`;
    return [forbidden(`spec.schedulingGates[${index}].name`, message)];
  });
}

/** The new spec with everything that may change put back to what it was. */
function withUpdatableOf(spec: Fields, old: Fields): Fields {
  const restored: Fields = rememberingAs(spec, { ...spec });
  for (const list of ["containers", "initContainers"]) {
    if (spec[list] == null) continue;
    restored[list] = spec[list].map((container: Fields, index: number) =>
      rememberingAs(container, { ...container, image: old[list]?.[index]?.image }),
    );
  }
  for (const field of ["activeDeadlineSeconds", "tolerations", "schedulingGates"]) restored[field] = old[field];
  if (old.terminationGracePeriodSeconds < 0 && spec.terminationGracePeriodSeconds === 1) {
    restored.terminationGracePeriodSeconds = old.terminationGracePeriodSeconds;
  }
  const gated = (old.schedulingGates ?? []).length > 0;
  if (gated && keepsMembers(spec.nodeSelector, old.nodeSelector)) restored.nodeSelector = old.nodeSelector;
  return restored;
}

/** A pod that waits at a gate may be sent to fewer nodes, never to others. */
function keepsMembers(now: Fields | undefined, before: Fields | undefined): boolean {
  return Object.entries(before ?? {}).every(([key, value]) => now?.[key] === value);
}
