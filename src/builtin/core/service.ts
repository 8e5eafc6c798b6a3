import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { serviceStatusErrors } from "../balancer-status-rules.ts";
import { sameValue } from "../value-rules.ts";
import { serviceWarnings } from "../warnings/service-warnings.ts";
import { allocateService } from "./allocate-service.ts";
import { addressErrors } from "./service-address-rules.ts";
import { listClusterIps } from "./service-addresses.ts";
import { serviceErrors, serviceUpdateErrors } from "./service-rules.ts";

/** Services. Addresses and node ports are given out by the API server: see service-addresses.ts. */
export const serviceStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  warnings: (object: Fields) => serviceWarnings(object),
  createOnUpdate: true,
  nameRule: "dns-label",
  prefixJudgedOnce: true,
  fieldSelectors: {
    "spec.clusterIP": ({ spec }: Fields) => spec?.clusterIP ?? "",
    "spec.type": ({ spec }: Fields) => spec?.type ?? "",
  },
  applyDefaults: defaultService,
  prepareForCreate: (draft) => {
    draft.status = { loadBalancer: {} };
    // clients that know the list name both
    if (draft.spec.clusterIP && (draft.spec.clusterIPs ?? []).length === 0) listClusterIps(draft);
  },
  prepareForUpdate: keepAllocated,
  allocate: allocateService,
  validateFirst: addressErrors,
  validate: serviceErrors,
  prepareStatus: defaultBalancer,
  validateUpdate: serviceUpdateErrors,
  validateStatus: serviceStatusErrors,
};

function defaultService(draft: Draft): void {
  draft.spec ??= {};
  const { spec } = draft;
  spec.sessionAffinity ||= "None";
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  else if (spec.sessionAffinity === "ClientIP" && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds == null) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10800 } };
  }
  spec.type ||= "ClusterIP";
  for (const port of spec.ports ?? []) {
    port.protocol ||= "TCP";
    port.targetPort ||= port.port;
  }
  if (isReachedFromOutside(spec)) spec.externalTrafficPolicy ||= "Cluster";
  if (spec.type !== "ExternalName") spec.internalTrafficPolicy ??= "Cluster";
  if (spec.type === "LoadBalancer") spec.allocateLoadBalancerNodePorts ??= true;
  defaultBalancer(draft);
}

function defaultBalancer({ spec, status }: Draft): void {
  if (spec.type !== "LoadBalancer") return;
  for (const ingress of status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= "VIP";
}

function isReachedFromOutside(spec: Fields): boolean {
  const exposed = spec.type === "LoadBalancer" || spec.type === "NodePort";
  return exposed || (spec.type === "ClusterIP" && (spec.externalIPs ?? []).length > 0);
}

/** An update that leaves out what was given out keeps it; a change of type gives it back. */
function keepAllocated(draft: Draft, old: Fields): void {
  const { spec } = draft;
  const before: Fields = old.spec;
  if (spec.type === "ExternalName") {
    alignClusterIps(spec, before);
    releaseAddresses(spec, before);
    return;
  }
  if (before.type !== "ExternalName") {
    spec.clusterIP ||= before.clusterIP;
    if ((spec.clusterIPs ?? []).length === 0) spec.clusterIPs = before.clusterIPs;
  }
  alignClusterIps(spec, before);
  if (before.type !== "ExternalName") {
    spec.ipFamilies ??= before.ipFamilies;
    spec.ipFamilyPolicy ??= before.ipFamilyPolicy;
  }
  if (spec.type === "NodePort" || spec.type === "LoadBalancer") keepNodePorts(spec, before);
  else releaseNodePorts(spec, before);
  if (
    before.externalTrafficPolicy === "Local" &&
    spec.externalTrafficPolicy === "Local" &&
    spec.type === "LoadBalancer"
  ) {
    if (!spec.healthCheckNodePort && before.healthCheckNodePort) spec.healthCheckNodePort = before.healthCheckNodePort;
  }
}

/** Clients that know one address alone change it, or take it away, for both. */
function alignClusterIps(spec: Fields, before: Fields): void {
  const one: string = spec.clusterIP ?? "";
  const list: readonly string[] = spec.clusterIPs ?? [];
  const old: readonly string[] = before.clusterIPs ?? [];
  if (one === (before.clusterIP ?? "")) {
    if (list.length === 0 && old.length > 0) spec.clusterIPs = old;
    return;
  }
  const sameList = list.length === old.length && list.every((ip, index) => ip === old[index]);
  if (sameList) spec.clusterIPs = one === "" ? undefined : [one];
}

/** What an update repeats although the new type may not have it is dropped; what it sets anew is refused later. */
function releaseAddresses(spec: Fields, before: Fields): void {
  for (const field of ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"]) {
    if (sameValue(spec[field], before[field])) delete spec[field];
  }
  releaseNodePorts(spec, before);
}

function keepNodePorts(spec: Fields, before: Fields): void {
  if (before.type !== "NodePort" && before.type !== "LoadBalancer") return;
  for (const port of spec.ports ?? []) {
    const same = (before.ports ?? []).find((old: Fields) => old.port === port.port && old.protocol === port.protocol);
    if (!port.nodePort && same?.nodePort) port.nodePort = same.nodePort;
  }
}

function releaseNodePorts(spec: Fields, before: Fields): void {
  const given = new Set((before.ports ?? []).map((port: Fields) => port.nodePort ?? 0));
  for (const port of spec.ports ?? []) if (given.has(port.nodePort)) delete port.nodePort;
  for (const field of [
    "externalTrafficPolicy",
    "healthCheckNodePort",
    "allocateLoadBalancerNodePorts",
    "loadBalancerClass",
  ]) {
    const kept = field === "externalTrafficPolicy" && (spec.externalIPs ?? []).length > 0;
    if (!kept && sameValue(spec[field], before[field])) delete spec[field];
  }
}
