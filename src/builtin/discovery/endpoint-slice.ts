import { dnsLabelErrors, dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { duplicate, type FieldError, invalid, required } from "#base/field-error.ts";
import { parseIp } from "#base/ip-address.ts";
import { ipErrors, reachableIpErrors } from "../address-rules.ts";
import { immutableName, optionalText, qualifiedName, requiredOneOf, textErrors } from "../value-rules.ts";

const maxEndpoints = 1000;

/** EndpointSlices. */
export const endpointSliceStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  applyDefaults: (draft: Draft) => {
    // Go prints lists that are not there as null
    draft.endpoints ??= null;
    draft.ports ??= null;
    for (const port of draft.ports ?? []) {
      port.name ??= "";
      port.protocol ??= "TCP";
    }
    for (const endpoint of draft.endpoints ?? []) endpoint.conditions ??= {};
  },
  validate: (object: Fields) => [
    ...requiredOneOf("addressType", object.addressType, ["FQDN", "IPv4", "IPv6"]),
    ...portsErrors(object.ports ?? []),
    ...endpointsErrors(object.endpoints ?? [], object.addressType),
  ],
  validateUpdate: (object: Fields, old: Fields) => immutableName("addressType", object.addressType, old.addressType),
};

function portsErrors(ports: readonly Fields[]): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = `ports[${index}]`;
    const errors = optionalText(`${path}.name`, port.name, dnsLabelErrors);
    if (names.has(port.name)) errors.push(duplicate(`${path}.name`, port.name));
    names.add(port.name);
    errors.push(...requiredOneOf(`${path}.protocol`, port.protocol, ["SCTP", "TCP", "UDP"]));
    if (port.appProtocol != null) errors.push(...qualifiedName(`${path}.appProtocol`, port.appProtocol));
    return errors;
  });
}

function endpointsErrors(endpoints: readonly Fields[], type: string): FieldError[] {
  if (endpoints.length > maxEndpoints) {
    const detail = `must have at most ${maxEndpoints} items`;
    return [{ path: "endpoints", type: "tooMany", value: endpoints.length, detail }];
  }
  return endpoints.flatMap((endpoint, index) => {
    const path = `endpoints[${index}]`;
    const addresses: readonly string[] = endpoint.addresses ?? [];
    return [
      ...(addresses.length === 0 ? [required(`${path}.addresses`, "must contain at least 1 address")] : []),
      ...addresses.flatMap((address, place) => addressErrors(address, `${path}.addresses`, { place, type })),
      ...optionalText(`${path}.nodeName`, endpoint.nodeName, dnsSubdomainErrors),
      ...optionalText(`${path}.hostname`, endpoint.hostname, dnsLabelErrors),
    ];
  });
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
