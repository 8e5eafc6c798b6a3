import { dnsLabelErrors, dnsSubdomainErrors, qualifiedNameErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, required } from "#base/field-error.ts";
import { ipErrors, reachableIpErrors } from "../address-rules.ts";
import { givenText, isMissing, optionalText, portNumber, requiredOneOf } from "../value-rules.ts";
import { ipWarnings } from "../warnings/address-warnings.ts";

/** Endpoints, the older form of EndpointSlices. */
export const endpointsStrategy: Strategy = {
  deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  generation: "none",
  unconditionalUpdate: true,
  createOnUpdate: true,
  warnings: ({ metadata, subsets }: Fields) =>
    metadata.labels?.["endpoints.kubernetes.io/managed-by"] === "endpoint-controller"
      ? []
      : (subsets ?? []).flatMap((subset: Fields, index: number) =>
          ["addresses", "notReadyAddresses"].flatMap((list) =>
            (subset[list] ?? []).flatMap(({ ip }: Fields, place: number) =>
              ipWarnings(`subsets[${index}].${list}[${place}].ip`, ip),
            ),
          ),
        ),
  applyDefaults: (draft: Draft) => {
    for (const subset of draft.subsets ?? []) for (const port of subset.ports ?? []) port.protocol ||= "TCP";
  },
  validate: (object: Fields) =>
    (object.subsets ?? []).flatMap((subset: Fields, index: number) => subsetErrors(subset, `subsets[${index}]`)),
};

function subsetErrors(subset: Fields, path: string): FieldError[] {
  const lists = ["addresses", "notReadyAddresses"];
  const count = lists.reduce((total, list) => total + (subset[list] ?? []).length, 0);
  const errors = count === 0 ? [required(path, "must specify `addresses` or `notReadyAddresses`")] : [];
  for (const list of lists) {
    for (const [index, address] of (subset[list] ?? []).entries()) {
      const at = `${path}.${list}[${index}]`;
      errors.push(...ipErrors(`${at}.ip`, address.ip ?? ""));
      errors.push(...optionalText(`${at}.hostname`, address.hostname, dnsLabelErrors));
      errors.push(...givenText(`${at}.nodeName`, address.nodeName, dnsSubdomainErrors));
      errors.push(...reachableIpErrors(`${at}.ip`, address.ip ?? ""));
    }
  }
  return [...errors, ...portsErrors(subset.ports ?? [], path)];
}

function portsErrors(ports: readonly Fields[], path: string): FieldError[] {
  return ports.flatMap((port, index) => {
    const at = `${path}.ports[${index}]`;
    return [
      ...(isMissing(port.name) && ports.length > 1 ? [required(`${at}.name`)] : []),
      ...optionalText(`${at}.name`, port.name, dnsLabelErrors),
      ...portNumber(`${at}.port`, port.port),
      ...requiredOneOf(`${at}.protocol`, port.protocol, ["SCTP", "TCP", "UDP"]),
      ...givenText(`${at}.appProtocol`, port.appProtocol, qualifiedNameErrors),
    ];
  });
}
