import { dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, forbidden, invalid, namedText, notSupported, required } from "#base/field-error.ts";
import { parseIp } from "#base/ip-address.ts";
import { ipErrors } from "./address-rules.ts";
import { isMissing, textErrors } from "./value-rules.ts";

const path = "status.loadBalancer.ingress";
const modes = ["Proxy", "VIP"];

/** What is wrong with where an ingress can be reached; addresses that stood there before are not judged again. */
export function ingressStatusErrors({ status }: Fields, old: Fields): FieldError[] {
  return pointErrors(status, old, () => []);
}

/** The same for a service, which also says how an address is reached, and has any only as a load balancer. */
export function serviceStatusErrors({ spec, status }: Fields, old: Fields): FieldError[] {
  if (spec.type === "LoadBalancer") return pointErrors(status, old, modeErrors);
  const points = status?.loadBalancer?.ingress ?? [];
  return points.length === 0 ? [] : [forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
}

function pointErrors(
  status: Fields | undefined,
  old: Fields,
  more: (at: string, point: Fields) => FieldError[],
): FieldError[] {
  const before = new Set((old.status?.loadBalancer?.ingress ?? []).map(({ ip }: Fields) => ip));
  return (status?.loadBalancer?.ingress ?? []).flatMap((point: Fields, index: number) => {
    const at = `${path}[${index}]`;
    const { ip, hostname } = point;
    return [
      ...(isMissing(ip) || before.has(ip) ? [] : ipErrors(`${at}.ip`, ip)),
      ...more(at, point),
      ...(isMissing(hostname) ? [] : hostErrors(`${at}.hostname`, hostname)),
    ];
  });
}

function hostErrors(at: string, host: string): FieldError[] {
  const isIp = parseIp(host) !== undefined;
  return [
    ...textErrors(at, host, dnsSubdomainErrors),
    ...(isIp ? [invalid(at, host, "must be a DNS name, not an IP address")] : []),
  ];
}

function modeErrors(at: string, { ip, ipMode }: Fields): FieldError[] {
  if (ipMode == null) return isMissing(ip) ? [] : [required(`${at}.ipMode`, "must be specified when `ip` is set")];
  if (isMissing(ip)) return [forbidden(`${at}.ipMode`, "may not be specified when `ip` is not set")];
  return modes.includes(ipMode) ? [] : [notSupported(`${at}.ipMode`, namedText(ipMode), modes)];
}
