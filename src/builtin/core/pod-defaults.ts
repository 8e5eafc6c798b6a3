import type { Draft, Fields } from "#api/meta/object-meta.ts";
import { setMember } from "#base/json.ts";
import { asSent, markEmpty } from "../sent-empty.ts";
import { defaultContainer } from "./container-defaults.ts";
import { defaultPodLevelRequests } from "./pod-level-requests.ts";
import { canonicalPodQuantities } from "./pod-quantities.ts";
import { defaultVolume } from "./volume-defaults.ts";

/** The lists of a pod's containers, in the order Kubernetes walks them. */
const containerLists = ["initContainers", "containers", "ephemeralContainers"] as const;

/** Defaults of a pod, which has some that a template has not. */
export function defaultPod(draft: Draft): void {
  draft.spec ??= {};
  const spec: Fields = draft.spec;
  defaultPodSpec(spec);
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    requestLimits(container);
    if (spec.hostNetwork === true) for (const port of container.ports ?? []) port.hostPort ||= port.containerPort;
  }
  if (spec.terminationGracePeriodSeconds < 0) spec.terminationGracePeriodSeconds = 1;
  defaultPodLevelRequests(spec);
  spec.enableServiceLinks ??= true;
}

/** Defaults of a pod template (Deployments, Jobs and the like). */
export function defaultPodTemplate(template: Fields | undefined): void {
  if (template == null) return;
  template.spec ??= {};
  template.metadata ??= {};
  defaultPodSpec(template.spec);
}

function defaultPodSpec(spec: Fields): void {
  spec.dnsPolicy ||= "ClusterFirst";
  spec.restartPolicy ||= "Always";
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= "default-scheduler";
  mirrorServiceAccount(spec);
  delete spec.schedulingGroup; // of a feature that is off in Kubernetes
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
  for (const list of containerLists) for (const container of spec[list] ?? []) defaultContainer(container);
  canonicalPodQuantities(spec);
}

/** The old name of the field is kept equal to the new one; when only the old one is written it counts. */
function mirrorServiceAccount(spec: Fields): void {
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) {
    spec.serviceAccountName = account;
    spec.serviceAccount = account;
  }
}

/** A limit without a request requests all of it. */
function requestLimits(container: Fields): void {
  const { limits } = container.resources;
  if (limits == null) {
    const none = asSent(container.resources, "limits") != null && asSent(container.resources, "requests") == null;
    if (none) markEmpty(container.resources, "requests", {});
    return;
  }
  container.resources.requests ??= {};
  for (const [name, amount] of Object.entries(limits)) {
    if (!Object.hasOwn(container.resources.requests, name)) setMember(container.resources.requests, name, amount);
  }
}
