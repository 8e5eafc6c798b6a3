import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, forbidden, invalid } from "#base/field-error.ts";
import { isMissing } from "../value-rules.ts";
import { nameWarnings } from "../warnings/name-warnings.ts";
import { podWarnings } from "../warnings/pod-warnings.ts";
import { completeSelectors } from "./complete-selectors.ts";
import { containersOf } from "./containers-of-pod.ts";
import { podAnnotationErrors, profileAgreementErrors } from "./pod-annotation-rules.ts";
import { defaultPod } from "./pod-defaults.ts";
import { podSpecErrors } from "./pod-spec-rules.ts";
import { podStatusErrors } from "./pod-status-rules.ts";
import { podUpdateErrors } from "./pod-update-rules.ts";
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
  validate: ({ metadata, spec = {} }: Fields) => [
    ...podAnnotationErrors(metadata.annotations, spec, "metadata.annotations"),
    ...podSpecErrors(spec, "spec", { name: metadata.name ?? "" }),
    ...tokenErrors(spec),
    ...containersOf(spec, "spec").flatMap(({ container, at }) => imageErrors(container.image ?? "", `${at}.image`)),
  ],
  validateNew: ({ metadata, spec = {} }: Fields) => [
    ...((spec.ephemeralContainers ?? []).length === 0
      ? []
      : [forbidden("spec.ephemeralContainers", "cannot be set on create")]),
    ...(isMissing(spec.nodeName) || (spec.schedulingGates ?? []).length === 0
      ? []
      : [forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared")]),
    ...profileAgreementErrors(metadata.annotations, spec, "spec"),
  ],
  validateUpdate: podUpdateErrors,
  validateStatus: podStatusErrors,
  warnings: (object, old) =>
    old === undefined ? [...nameWarnings(object.metadata.name, "the Pod's hostname"), ...podWarnings(object)] : [],
};

function startPending(draft: Draft): void {
  draft.status = { phase: "Pending", qosClass: qosClassOf(draft.spec) };
  completeSelectors(draft.spec, draft.metadata.labels ?? {});
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

function imageErrors(image: string, path: string): FieldError[] {
  return image.trim() === image ? [] : [invalid(path, image, "must not have leading or trailing whitespace")];
}
