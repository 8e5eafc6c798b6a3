import type { Fields } from "#api/meta/object-meta.ts";
import { cidrWarnings, ipWarnings } from "./address-warnings.ts";

const oldHints = "service.kubernetes.io/topology-aware-hints";
const topologyMode = "service.kubernetes.io/topology-mode";

/** What is to be said of a service. */
export function serviceWarnings({ metadata, spec }: Fields): string[] {
  const isHeadless = spec.type === "ClusterIP" && spec.clusterIP === "None";
  return [
    ...(metadata.annotations?.[oldHints] === undefined
      ? []
      : [`annotation ${oldHints} is deprecated, please use ${topologyMode} instead`]),
    ...(isHeadless || !spec.clusterIP
      ? []
      : (spec.clusterIPs ?? []).flatMap((ip: string, index: number) => ipWarnings(`spec.clusterIPs[${index}]`, ip))),
    ...(isHeadless ? headlessWarnings(spec) : []),
    ...externalWarnings(spec, isHeadless),
    ...(spec.loadBalancerIP ? ipWarnings("spec.loadBalancerIP", spec.loadBalancerIP) : []),
    ...(spec.loadBalancerSourceRanges ?? []).flatMap((range: string, index: number) =>
      cidrWarnings(`spec.loadBalancerSourceRanges[${index}]`, range),
    ),
    ...(spec.trafficDistribution === "PreferClose"
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}

function headlessWarnings({ loadBalancerIP, externalIPs = [], sessionAffinity }: Fields): string[] {
  return [
    ...(loadBalancerIP ? ["spec.loadBalancerIP is ignored for headless services"] : []),
    ...(externalIPs.length > 0 ? ["spec.externalIPs is ignored for headless services"] : []),
    ...(sessionAffinity === "None" ? [] : ["spec.SessionAffinity is ignored for headless services"]),
  ];
}

function externalWarnings({ type, externalIPs = [], externalName }: Fields, isHeadless: boolean): string[] {
  const named = type === "ExternalName";
  const deprecated = "spec.externalIPs is deprecated and may no longer be implemented in some clusters";
  return [
    ...externalIPs.flatMap((ip: string, index: number) => ipWarnings(`spec.externalIPs[${index}]`, ip)),
    ...(externalIPs.length > 0 && !isHeadless && !named ? [deprecated] : []),
    ...(named && externalIPs.length > 0 ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : []),
    ...(!named && externalName ? ['spec.externalName is ignored when spec.type is not "ExternalName"'] : []),
  ];
}
