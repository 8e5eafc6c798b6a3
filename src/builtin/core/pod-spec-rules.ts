import { labelErrors } from "#api/meta/label-selector.ts";
import { annotationErrors } from "#api/meta/metadata-rules.ts";
import { dnsLabelErrors, dnsSubdomainErrors, labelValueErrors, qualifiedNameErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  namedText,
  notSupported,
  required,
} from "#base/field-error.ts";
import { ipErrors } from "../address-rules.ts";
import { requirementErrors } from "../resource-amounts.ts";
import { givenText, isMissing, oneOf, optionalText, requiredOneOf, textErrors } from "../value-rules.ts";
import { affinityErrors } from "./affinity-rules.ts";
import { containerErrors, fileVolumeErrors, hostPortConflicts, type Surroundings } from "./container-rules.ts";
import { containersOf } from "./containers-of-pod.ts";
import { dnsConfigErrors, hostnameOverrideErrors } from "./dns-rules.ts";
import { ephemeralContainerErrors } from "./ephemeral-container-rules.ts";
import { podAnnotationErrors, profileAgreementErrors } from "./pod-annotation-rules.ts";
import { podResourceErrors } from "./pod-level-rules.ts";
import { probeErrors } from "./probe-rules.ts";
import { podClaimErrors } from "./resource-claim-rules.ts";
import { initResizeErrors, initRestartErrors, restartErrors } from "./restart-rules.ts";
import { podSecurityErrors } from "./security-rules.ts";
import { sysctlErrors } from "./sysctl-rules.ts";
import { topologySpreadErrors } from "./topology-spread-rules.ts";
import { volumeErrors } from "./volume-rules.ts";
import { hostProcessErrors, systemErrors } from "./windows-rules.ts";

/** What is wrong with a pod template. */
export function podTemplateErrors(template: Fields, path: string): FieldError[] {
  const errors = [
    ...labelErrors(template.metadata?.labels, `${path}.labels`),
    ...annotationErrors(template.metadata?.annotations, `${path}.annotations`),
    ...podAnnotationErrors(template.metadata?.annotations, template.spec ?? {}, `${path}.annotations`),
    ...podSpecErrors(template.spec ?? {}, `${path}.spec`),
    ...profileAgreementErrors(template.metadata?.annotations, template.spec ?? {}, `${path}.spec`),
  ];
  if ((template.spec?.ephemeralContainers ?? []).length > 0) {
    errors.push(forbidden(`${path}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template"));
  }
  return errors;
}

/** What is wrong with the spec of a pod, or of a template where no `whole` pod is given. */
export function podSpecErrors(spec: Fields, path: string, whole?: { readonly name: string }): FieldError[] {
  const volumes = volumeErrors(spec.volumes ?? [], `${path}.volumes`, whole);
  const claims: readonly Fields[] = spec.resourceClaims ?? [];
  const pod: Surroundings = {
    volumes: volumes.named,
    claims: new Set(claims.map(({ name }) => name ?? "").filter((name) => name !== "")),
    restartPolicy: spec.restartPolicy,
    hostUsers: spec.hostUsers,
  };
  return [
    ...volumes.errors,
    ...podClaimErrors(claims, `${path}.resourceClaims`),
    ...regularContainers(spec, path, pod),
    ...initContainers(spec, path, pod),
    ...ephemeralContainerErrors(spec, `${path}.ephemeralContainers`, pod),
    ...podResourceErrors(spec, path, pod.claims),
    ...hostNetworkErrors(spec, path),
    ...requiredOneOf(`${path}.restartPolicy`, spec.restartPolicy, ["Always", "OnFailure", "Never"]),
    ...requiredOneOf(`${path}.dnsPolicy`, spec.dnsPolicy, [
      "ClusterFirstWithHostNet",
      "ClusterFirst",
      "Default",
      "None",
    ]),
    ...labelErrors(spec.nodeSelector, `${path}.nodeSelector`),
    ...podSecurityErrors(spec.securityContext, `${path}.securityContext`),
    ...sysctlErrors(spec, `${path}.securityContext.sysctls`),
    ...hostErrors(spec, path),
    ...affinityErrors(spec.affinity, `${path}.affinity`),
    ...dnsConfigErrors(spec, `${path}.dnsConfig`),
    ...schedulingErrors(spec, path),
    ...topologySpreadErrors(spec.topologySpreadConstraints ?? [], `${path}.topologySpreadConstraints`),
    ...hostProcessErrors(spec, path),
    ...hostnameOverrideErrors(spec, `${path}.hostnameOverride`),
    ...nameErrors(spec, path),
    ...tolerationErrors(spec.tolerations ?? [], `${path}.tolerations`),
    ...(spec.hostAliases ?? []).flatMap(({ ip, hostnames = [] }: Fields, index: number) => [
      ...ipErrors(`${path}.hostAliases[${index}].ip`, ip ?? ""),
      ...hostnames.flatMap((name: string, place: number) =>
        textErrors(`${path}.hostAliases[${index}].hostnames[${place}]`, name ?? "", dnsSubdomainErrors),
      ),
    ]),
    ...preemptionErrors(`${path}.preemptionPolicy`, spec.preemptionPolicy),
    ...requirementErrors(`${path}.overhead`, { limits: spec.overhead }),
    ...(spec.os == null ? [] : osErrors(spec.os, `${path}.os`)),
    ...systemErrors(spec, path),
    ...containersOf(spec, path).flatMap(({ container, at }) => fileVolumeErrors(container, at, spec.volumes ?? [])),
  ];
}

function hostErrors(spec: Fields, path: string): FieldError[] {
  const { hostPID, hostIPC, hostUsers, hostNetwork, shareProcessNamespace } = spec;
  const errors: FieldError[] = [];
  if (hostPID === true && shareProcessNamespace === true) {
    const message = "ShareProcessNamespace and HostPID cannot both be enabled";
    errors.push(invalid(`${path}.securityContext.shareProcessNamespace`, true, message));
  }
  if (hostUsers !== false) return errors;
  const taken = { hostNetwork, HostPID: hostPID, HostIPC: hostIPC };
  for (const [field, value] of Object.entries(taken)) {
    if (value === true) errors.push(forbidden(`${path}.${field}`, "when `hostUsers` is false"));
  }
  for (const { container, at } of containersOf(spec, path)) {
    if ((container.volumeDevices ?? []).length === 0) continue;
    errors.push(forbidden(`${at}.volumeDevices`, "when `hostUsers` is false"));
  }
  return errors;
}

/** What is wrong with whether a pod takes the place of others. */
export function preemptionErrors(path: string, policy: unknown): FieldError[] {
  return policy == null ? [] : requiredOneOf(path, policy, ["PreemptLowerPriority", "Never"]);
}

function osErrors({ name }: Fields, path: string): FieldError[] {
  return isMissing(name) ? [required(`${path}.name`)] : oneOf(path, name, ["linux", "windows"]);
}

function regularContainers(spec: Fields, path: string, pod: Surroundings): FieldError[] {
  const containers: readonly Fields[] = spec.containers ?? [];
  const at = `${path}.containers`;
  if (containers.length === 0) return [required(at)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const own = containerErrors(container, `${at}[${index}]`, pod);
    if (names.has(container.name)) own.push(duplicate(`${at}[${index}].name`, container.name));
    names.add(container.name);
    return [
      ...own,
      ...probeErrors(container, `${at}[${index}]`, spec.terminationGracePeriodSeconds ?? 30),
      ...restartErrors(container, `${at}[${index}]`),
    ];
  });
  return [...errors, ...hostPortConflicts(containers, at)];
}

const runningOnly = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"];

function initContainers(spec: Fields, path: string, pod: Surroundings): FieldError[] {
  const names = new Set<string>((spec.containers ?? []).map((container: Fields) => container.name));
  return (spec.initContainers ?? []).flatMap((container: Fields, index: number) => {
    const at = `${path}.initContainers[${index}]`;
    const errors = [
      ...containerErrors(container, at, pod),
      ...initRestartErrors(container, at),
      ...initResizeErrors(container, at),
    ];
    if (names.has(container.name)) errors.push(duplicate(`${at}.name`, container.name));
    else if (!isMissing(container.name)) names.add(container.name);
    if (container.restartPolicy === "Always") {
      return [...errors, ...probeErrors(container, at, spec.terminationGracePeriodSeconds ?? 30)];
    }
    for (const member of runningOnly) {
      if (container[member] == null) continue;
      errors.push(forbidden(`${at}.${member}`, "may not be set for init containers without restartPolicy=Always"));
    }
    return errors;
  });
}

function hostNetworkErrors(spec: Fields, path: string): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  const message = "must match `containerPort` when `hostNetwork` is true";
  return (spec.containers ?? []).flatMap((container: Fields, index: number) =>
    (container.ports ?? []).flatMap((port: Fields, portIndex: number) =>
      port.hostPort && port.hostPort !== port.containerPort
        ? [invalid(`${path}.containers[${index}].ports[${portIndex}].hostPort`, port.hostPort, message)]
        : [],
    ),
  );
}

function schedulingErrors(spec: Fields, path: string): FieldError[] {
  const seen = new Set<string>();
  return [
    ...(spec.readinessGates ?? []).flatMap((gate: Fields, index: number) =>
      textErrors(`${path}.readinessGates[${index}].conditionType`, gate.conditionType ?? "", qualifiedNameErrors),
    ),
    ...(spec.schedulingGates ?? []).flatMap((gate: Fields, index: number) => {
      const at = `${path}.schedulingGates[${index}]`;
      const errors = textErrors(at, gate.name ?? "", qualifiedNameErrors);
      if (seen.has(gate.name)) errors.push(duplicate(at, gate.name));
      seen.add(gate.name);
      return errors;
    }),
  ];
}

function nameErrors(spec: Fields, path: string): FieldError[] {
  const deadline = spec.activeDeadlineSeconds;
  const errors = [
    ...optionalText(`${path}.serviceAccountName`, spec.serviceAccountName, dnsSubdomainErrors),
    ...optionalText(`${path}.nodeName`, spec.nodeName, dnsSubdomainErrors),
  ];
  if (deadline != null && (deadline < 1 || deadline > 2 ** 31 - 1)) {
    errors.push(invalid(`${path}.activeDeadlineSeconds`, deadline, "must be between 1 and 2147483647, inclusive"));
  }
  return [
    ...errors,
    ...optionalText(`${path}.hostname`, spec.hostname, dnsLabelErrors),
    ...optionalText(`${path}.subdomain`, spec.subdomain, dnsLabelErrors),
    ...optionalText(`${path}.priorityClassName`, spec.priorityClassName, dnsSubdomainErrors),
    ...givenText(`${path}.runtimeClassName`, spec.runtimeClassName, dnsSubdomainErrors),
  ];
}

/** What is wrong with tolerations, in pods and in runtime classes. */
export function tolerationErrors(tolerations: readonly Fields[], path: string): FieldError[] {
  return tolerations.flatMap((toleration, index) => {
    const at = `${path}[${index}]`;
    const { key, operator = "", value = "", effect = "" } = toleration;
    const errors = optionalText(`${at}.key`, key, qualifiedNameErrors);
    if (isMissing(key) && operator !== "Exists") {
      const rule = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalid(`${at}.operator`, namedText(operator), rule));
    }
    if (toleration.tolerationSeconds != null && effect !== "NoExecute") {
      errors.push(
        invalid(`${at}.effect`, namedText(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set"),
      );
    }
    errors.push(...operatorErrors(operator, value, at));
    return [...errors, ...oneOf(`${at}.effect`, effect, ["NoSchedule", "PreferNoSchedule", "NoExecute"])];
  });
}

function operatorErrors(operator: string, value: string, at: string): FieldError[] {
  const path = `${at}.operator`;
  if (operator === "Equal" || operator === "") {
    const problems = labelValueErrors(value);
    return problems.length === 0 ? [] : [invalid(path, value, problems.join(";"))];
  }
  if (operator === "Exists") {
    return value === "" ? [] : [invalid(path, value, "value must be empty when `operator` is 'Exists'")];
  }
  const known = ["Equal", "Exists"];
  return [
    notSupported(path, namedText(operator), operator === "Lt" || operator === "Gt" ? [...known, "Lt", "Gt"] : known),
  ];
}
