import { dnsLabelErrors, dnsSubdomainErrors, labelValueErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { duplicate, type FieldError, invalid, required, tooMany } from "#base/field-error.ts";
import { parseIp } from "#base/ip-address.ts";
import { ipErrors, reachableIpErrors } from "../address-rules.ts";
import {
  givenText,
  immutableName,
  oneOfGiven,
  optionalText,
  qualifiedName,
  requiredOneOf,
  textErrors,
} from "../value-rules.ts";
import { ipWarnings } from "../warnings/address-warnings.ts";

const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;
const maxHints = 8;

/** EndpointSlices. */
export const endpointSliceStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  warnings: ({ addressType, endpoints }: Fields, old) => [
    ...(addressType === "FQDN" && old === undefined ? ["spec.addressType: FQDN endpoints are deprecated"] : []),
    ...(endpoints ?? []).flatMap(({ addresses }: Fields, index: number) =>
      (addresses ?? []).flatMap((ip: string, place: number) =>
        ipWarnings(`endpoints[${index}].addresses[${place}]`, ip),
      ),
    ),
  ],
  applyDefaults: (draft: Draft) => {
    // Go prints lists that are not there as null
    draft.endpoints ??= null;
    draft.ports ??= null;
    for (const port of draft.ports ?? []) {
      port.name ??= "";
      port.protocol ??= "TCP";
    }
    for (const endpoint of draft.endpoints ?? []) {
      endpoint.conditions ??= {};
      delete endpoint.deprecatedTopology; // older versions of the kind have it
    }
  },
  validate: (object: Fields) => [
    ...requiredOneOf("addressType", object.addressType, ["FQDN", "IPv4", "IPv6"]),
    ...portsErrors(object.ports ?? []),
    ...endpointsErrors(object.endpoints ?? [], object.addressType),
  ],
  validateUpdate: (object: Fields, old: Fields) => immutableName("addressType", object.addressType, old.addressType),
};

function portsErrors(ports: readonly Fields[]): FieldError[] {
  if (ports.length > maxPorts) return [tooMany("ports", ports.length, maxPorts)];
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = `ports[${index}]`;
    const errors = optionalText(`${path}.name`, port.name, dnsLabelErrors);
    if (names.has(port.name)) errors.push(duplicate(`${path}.name`, port.name));
    names.add(port.name);
    errors.push(...oneOfGiven(`${path}.protocol`, port.protocol, ["SCTP", "TCP", "UDP"]));
    if (port.appProtocol != null) errors.push(...qualifiedName(`${path}.appProtocol`, port.appProtocol));
    return errors;
  });
}

function endpointsErrors(endpoints: readonly Fields[], type: string): FieldError[] {
  if (endpoints.length > maxEndpoints) {
    return [tooMany("endpoints", endpoints.length, maxEndpoints)];
  }
  return endpoints.flatMap((endpoint, index) => {
    const path = `endpoints[${index}]`;
    const addresses: readonly string[] = endpoint.addresses ?? [];
    return [
      ...(addresses.length === 0 ? [required(`${path}.addresses`, "must contain at least 1 address")] : []),
      ...addresses.flatMap((address, place) => addressErrors(address, `${path}.addresses`, { place, type })),
      ...(addresses.length > maxAddresses ? [tooMany(`${path}.addresses`, addresses.length, maxAddresses)] : []),
      ...givenText(`${path}.nodeName`, endpoint.nodeName, dnsSubdomainErrors),
      ...givenText(`${path}.hostname`, endpoint.hostname, dnsLabelErrors),
      ...(endpoint.hints == null ? [] : hintErrors(endpoint.hints, `${path}.hints`)),
    ];
  });
}

function hintErrors({ forZones, forNodes }: Fields, path: string): FieldError[] {
  const zones = listedErrors(forZones ?? [], `${path}.forZones`, labelValueErrors);
  if ((forZones ?? []).length > maxHints) return zones;
  return [...zones, ...listedErrors(forNodes ?? [], `${path}.forNodes`, dnsSubdomainErrors)];
}

function listedErrors(list: readonly Fields[], path: string, rule: (name: string) => string[]): FieldError[] {
  if (list.length > maxHints) return [tooMany(path, list.length, maxHints)];
  const names = list.map(({ name = "" }) => String(name));
  return names.flatMap((name, index) => [
    ...(names.indexOf(name) < index ? [duplicate(`${path}[${index}].name`, name)] : []),
    ...textErrors(`${path}[${index}].name`, name, rule),
  ]);
}

function addressErrors(address: string, path: string, { place, type }: { place: number; type: string }): FieldError[] {
  const at = `${path}[${place}]`;
  if (type === "FQDN") return textErrors(at, address, dnsSubdomainErrors);
  if (type !== "IPv4" && type !== "IPv6") return [];
  const ip = parseIp(address);
  if (ip === undefined) return ipErrors(at, address);
  const family = ip.family === type ? [] : [invalid(path, address, `must be an ${type} address`)];
  return [...family, ...reachableIpErrors(at, address)];
}
