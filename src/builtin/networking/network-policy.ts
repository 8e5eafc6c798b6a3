import { labelSelectorErrors } from "#api/meta/label-selector.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, forbidden, invalid, required } from "#base/field-error.ts";
import { networkContains, parseCidr } from "#base/ip-address.ts";
import { cidrErrors } from "../address-rules.ts";
import { isMissing, oneOfGiven, portNumber, portNumberOrName } from "../value-rules.ts";
import { cidrWarnings } from "../warnings/address-warnings.ts";

const directions = [
  { rules: "ingress", peers: "from" },
  { rules: "egress", peers: "to" },
] as const;

/** NetworkPolicies. */
export const networkPolicyStrategy: Strategy = {
  generation: "spec",
  prefixJudgedOnce: true,
  unconditionalUpdate: true,
  warnings: ({ spec }: Fields) =>
    directions.flatMap(({ rules, peers }) =>
      (spec[rules] ?? []).flatMap((rule: Fields, index: number) =>
        (rule[peers] ?? []).flatMap(({ ipBlock }: Fields, place: number) =>
          ipBlock == null ? [] : blockWarnings(ipBlock, `spec.${rules}[${index}].${peers}[${place}].ipBlock`),
        ),
      ),
    ),
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
    const { spec } = draft;
    spec.podSelector ??= {};
    if ((spec.policyTypes ?? []).length === 0) {
      spec.policyTypes = (spec.egress ?? []).length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
    }
    for (const { rules } of directions) {
      for (const rule of spec[rules] ?? []) for (const port of rule.ports ?? []) port.protocol ??= "TCP";
    }
  },
  validate: ({ spec }: Fields) => [
    ...labelSelectorErrors(spec.podSelector, "spec.podSelector"),
    ...directions.flatMap(({ rules, peers }) =>
      (spec[rules] ?? []).flatMap((rule: Fields, index: number) => [
        ...(rule.ports ?? []).flatMap((port: Fields, place: number) =>
          portErrors(port, `spec.${rules}[${index}].ports[${place}]`),
        ),
        ...(rule[peers] ?? []).flatMap((peer: Fields, place: number) =>
          peerErrors(peer, `spec.${rules}[${index}].${peers}[${place}]`),
        ),
      ]),
    ),
    ...typeErrors(spec.policyTypes ?? []),
  ],
};

function portErrors({ protocol, port, endPort }: Fields, path: string): FieldError[] {
  const errors = oneOfGiven(`${path}.protocol`, protocol, ["TCP", "UDP", "SCTP"]);
  if (port == null) {
    if (endPort == null) return errors;
    return [...errors, invalid(`${path}.endPort`, endPort, "may not be specified when `port` is not specified")];
  }
  if (typeof port === "string") {
    if (endPort != null)
      errors.push(invalid(`${path}.endPort`, endPort, "may not be specified when `port` is non-numeric"));
    return [...errors, ...portNumberOrName(`${path}.port`, port)];
  }
  errors.push(...portNumber(`${path}.port`, port));
  if (endPort == null) return errors;
  if (endPort < port) errors.push(invalid(`${path}.endPort`, port, "must be greater than or equal to `port`"));
  return [...errors, ...portNumber(`${path}.endPort`, endPort)];
}

function peerErrors(peer: Fields, path: string): FieldError[] {
  const named = ["podSelector", "namespaceSelector", "ipBlock"].filter((field) => peer[field] != null);
  const errors = [
    ...labelSelectorErrors(peer.podSelector, `${path}.podSelector`),
    ...labelSelectorErrors(peer.namespaceSelector, `${path}.namespaceSelector`),
    ...(peer.ipBlock == null ? [] : blockErrors(peer.ipBlock, `${path}.ipBlock`)),
  ];
  if (named.length === 0) errors.push(required(path, "must specify a peer"));
  if (named.length > 1 && peer.ipBlock != null) {
    errors.push(forbidden(path, "may not specify both ipBlock and another peer"));
  }
  return errors;
}

function blockErrors(block: Fields, path: string): FieldError[] {
  if (isMissing(block.cidr)) return [required(`${path}.cidr`)];
  const network = parseCidr(block.cidr);
  if (network === undefined) return cidrErrors(`${path}.cidr`, block.cidr);
  return (block.except ?? []).flatMap((text: string, index: number) => {
    const except = parseCidr(text);
    if (except === undefined) return cidrErrors(`${path}.except[${index}]`, text);
    const inside = networkContains(network, except) && network.prefixLength < except.prefixLength;
    return inside ? [] : [invalid(`${path}.except[${index}]`, text, "must be a strict subset of `cidr`")];
  });
}

function blockWarnings({ cidr, except = [] }: Fields, path: string): string[] {
  return [
    ...cidrWarnings(`${path}.cidr`, cidr),
    ...except.flatMap((text: string, index: number) => cidrWarnings(`${path}.except[${index}]`, text)),
  ];
}

function typeErrors(types: readonly string[]): FieldError[] {
  if (types.length > 2) return [invalid("spec.policyTypes", types, "may not specify more than two policyTypes")];
  return types.flatMap((type, index) => oneOfGiven(`spec.policyTypes[${index}]`, type, ["Ingress", "Egress"]));
}
