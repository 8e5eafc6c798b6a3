import type { Draft, Fields } from "#api/meta/object-meta.ts";

/** Whether a service has no address of its own: its name stands for its pods. */
export function isHeadless(spec: Fields): boolean {
  return spec.clusterIPs?.[0] === "None" || spec.clusterIP === "None";
}

/** Whether the API server must give this service an address. */
export function needsClusterIp(service: Fields): boolean {
  return service.spec.type !== "ExternalName" && !service.spec.clusterIP;
}

/** The address a service has or asks for, which must not be given out again. */
export function clusterIpOf(service: Fields): string | undefined {
  const ip = service.spec?.clusterIP;
  return ip && ip !== "None" ? ip : undefined;
}

/** Gives a service its address; also fills what follows from it, for one address family. */
export function assignClusterIp(draft: Draft, ip: string): void {
  draft.spec.clusterIP = ip;
  describeAddresses(draft);
}

/** Fills what follows from a service's address: its list, its family, its policy. */
export function describeAddresses(draft: Draft): void {
  const { spec } = draft;
  if (spec.type === "ExternalName") return;
  listClusterIps(draft);
  // a headless service without selector may have endpoints of any family
  const anyFamily = isHeadless(spec) && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= anyFamily ? "RequireDualStack" : "SingleStack";
  if ((spec.ipFamilies ?? []).length > 0) return;
  const family = clusterIpOf(draft)?.includes(":") ? "IPv6" : "IPv4";
  spec.ipFamilies = anyFamily ? ["IPv4", "IPv6"] : [family];
}

/** Whether the ports of a service have numbers on every node. */
export function hasNodePorts({ spec }: Fields): boolean {
  return spec.type === "NodePort" || spec.type === "LoadBalancer";
}

/** The ports of a service that the API server must give a number on every node, by index. */
export function portsWithoutNodePort(service: Fields): number[] {
  const { type, ports = [], allocateLoadBalancerNodePorts } = service.spec;
  const wanted = type === "NodePort" || (type === "LoadBalancer" && allocateLoadBalancerNodePorts !== false);
  return wanted ? ports.flatMap((port: Fields, index: number) => (port.nodePort ? [] : [index])) : [];
}

/** The numbers on every node that a service has or asks for. */
export function nodePortsOf(service: Fields): number[] {
  const ports: number[] = (service.spec?.ports ?? []).map((port: Fields) => port.nodePort ?? 0);
  return [...ports, service.spec?.healthCheckNodePort ?? 0].filter((port) => port !== 0);
}

/** Whether the API server must give this service a port for health checks. */
export function needsHealthCheckPort(service: Fields): boolean {
  const { type, externalTrafficPolicy, healthCheckNodePort } = service.spec;
  return type === "LoadBalancer" && externalTrafficPolicy === "Local" && !healthCheckNodePort;
}

/** Keeps the first address and the list of addresses in step. */
export function listClusterIps({ spec }: Fields): void {
  if (spec.clusterIP && (spec.clusterIPs ?? []).length === 0) spec.clusterIPs = [spec.clusterIP];
  if (!spec.clusterIP && (spec.clusterIPs ?? []).length > 0) spec.clusterIP = spec.clusterIPs[0];
}
