import type { Draft } from "#api/meta/object-meta.ts";
import type { Allocation } from "#api/meta/resource-type.ts";
import { type FieldError, invalid } from "#base/field-error.ts";
import { networkContains, parseCidr, parseIp } from "#base/ip-address.ts";
import {
  assignClusterIp,
  clusterIpOf,
  describeAddresses,
  hasNodePorts,
  needsClusterIp,
  needsHealthCheckPort,
  nodePortsOf,
  portsWithoutNodePort,
} from "./service-addresses.ts";

/** Where addresses of services come from, as in most clusters. */
const serviceNetwork = { cidr: "10.96.0.0/12", first: (10 << 24) + (96 << 16) + 1, count: 2 ** 20 - 2 };
const nodePortRange = { first: 30_000, count: 2768 };

/** Gives a service the addresses and ports it lacks, and refuses those that another one has. */
export function allocateService(draft: Draft, among: Allocation): FieldError[] {
  const takenIps = new Set<string>();
  const takenPorts = new Set<number>();
  for (const other of among.others()) {
    const ip = clusterIpOf(other);
    if (ip !== undefined) takenIps.add(ip);
    for (const port of nodePortsOf(other)) takenPorts.add(port);
  }
  const errors = [...wantedIpErrors(draft, takenIps), ...wantedPortErrors(draft, takenPorts)];
  if (errors.length > 0) return errors;
  if (needsClusterIp(draft)) {
    const number = pick(serviceNetwork, (candidate) => !takenIps.has(dotted(candidate)), among.random);
    if (number === undefined) return [invalid("spec.clusterIPs", null, "failed to allocate IP: range is full")];
    assignClusterIp(draft, dotted(number));
  } else describeAddresses(draft);
  return givePorts(draft, takenPorts, among.random);
}

function wantedIpErrors(draft: Draft, taken: ReadonlySet<string>): FieldError[] {
  const ip = clusterIpOf(draft);
  if (ip === undefined) return [];
  const ips = draft.spec.clusterIPs ?? [ip];
  const address = parseIp(ip);
  const network = parseCidr(serviceNetwork.cidr);
  if (address === undefined || network === undefined) return [];
  if (address.family === "IPv4" && !networkContains(network, address)) {
    const problem = `failed to allocate IP ${ip}: the provided network does not match the current range`;
    return [invalid("spec.clusterIPs", ips, problem)];
  }
  return taken.has(ip)
    ? [invalid("spec.clusterIPs", ips, `failed to allocate IP ${ip}: provided IP is already allocated`)]
    : [];
}

function wantedPortErrors(draft: Draft, taken: ReadonlySet<number>): FieldError[] {
  const { first, count } = nodePortRange;
  if (!hasNodePorts(draft)) return []; // what it may not have is refused elsewhere
  return (draft.spec.ports ?? []).flatMap(({ nodePort }: { nodePort?: number }, index: number) => {
    const path = `spec.ports[${index}].nodePort`;
    if (!nodePort) return [];
    if (nodePort < first || nodePort >= first + count) {
      const range = `${first}-${first + count - 1}`;
      return [invalid(path, nodePort, `provided port is not in the valid range. The range of valid ports is ${range}`)];
    }
    return taken.has(nodePort) ? [invalid(path, nodePort, "provided port is already allocated")] : [];
  });
}

function givePorts(draft: Draft, taken: Set<number>, random: () => number): FieldError[] {
  for (const port of nodePortsOf(draft)) taken.add(port);
  const next = (): number | undefined => {
    const port = pick(nodePortRange, (candidate) => !taken.has(candidate), random);
    if (port !== undefined) taken.add(port);
    return port;
  };
  for (const index of portsWithoutNodePort(draft)) {
    const port = next();
    if (port === undefined) {
      return [invalid(`spec.ports[${index}].nodePort`, 0, "failed to allocate a nodePort: range is full")];
    }
    draft.spec.ports[index].nodePort = port;
  }
  if (needsHealthCheckPort(draft)) draft.spec.healthCheckNodePort = next();
  return [];
}

interface Range {
  readonly first: number;
  readonly count: number;
}

/** A free number at random, or the next one after it. */
function pick(range: Range, isFree: (candidate: number) => boolean, random: () => number): number | undefined {
  const start = Math.floor(random() * range.count);
  for (let step = 0; step < range.count; step++) {
    const candidate = range.first + ((start + step) % range.count);
    if (isFree(candidate)) return candidate;
  }
  return undefined;
}

function dotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join(".");
}
