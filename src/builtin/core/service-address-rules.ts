import type { Fields } from "#api/meta/object-meta.ts";
import { duplicate, type FieldError, invalid, namedText, notSupported, required } from "#base/field-error.ts";
import { parseIp } from "#base/ip-address.ts";
import { ipErrors } from "../address-rules.ts";
import { oneOfGiven } from "../value-rules.ts";
import { isHeadless } from "./service-addresses.ts";

const families = ["IPv4", "IPv6"];
const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
const listPath = "spec.clusterIPs";

/** What is wrong with the addresses that a service asks for: they are given out before anything else of it is looked at. */
export function addressErrors({ spec }: Fields, old?: Fields): FieldError[] {
  if (spec.type === "ExternalName") return [];
  const errors = [
    ...agreementErrors(spec),
    ...familyErrors(spec.ipFamilies ?? []),
    ...oneOfGiven("spec.ipFamilyPolicy", spec.ipFamilyPolicy, policies),
    ...listErrors(spec.clusterIPs ?? [], old?.spec.clusterIPs ?? []),
  ];
  return errors.length > 0 ? errors : stackErrors(spec);
}

/** The one address and the list of addresses. */
function agreementErrors({ clusterIP, clusterIPs = [] }: Fields): FieldError[] {
  if (!clusterIP) {
    return clusterIPs.length === 0
      ? []
      : [invalid(listPath, clusterIPs, "must be empty when `clusterIP` is not specified")];
  }
  if (clusterIPs.length === 0) return [required(listPath)];
  return clusterIPs[0] === clusterIP ? [] : [invalid(listPath, clusterIPs, "first value must match `clusterIP`")];
}

function familyErrors(list: readonly (string | null)[]): FieldError[] {
  return list.flatMap((family, index) => {
    const path = `spec.ipFamilies[${index}]`;
    const known = families.includes(family ?? "");
    return [
      ...(known ? [] : [notSupported(path, namedText(family ?? ""), families)]),
      ...(list.indexOf(family) < index ? [duplicate(path, namedText(family ?? ""))] : []),
    ];
  });
}

function listErrors(ips: readonly string[], before: readonly string[]): FieldError[] {
  const single = ips.length > 1 && ips[0] === "None";
  const errors = single ? [invalid(listPath, ips, "'None' must be the first and only value")] : [];
  ips.forEach((ip, index) => {
    if (index > 0 || ip !== "None")
      errors.push(...(before.includes(ip) ? [] : ipErrors(`${listPath}[${index}]`, ip ?? "")));
  });
  const wrong = errors.length > 0;
  if (ips.length > 2) errors.push(invalid(listPath, ips, "may only hold up to 2 values"));
  if (wrong || ips.length < 2) return errors;
  const kinds = new Set(ips.map((ip) => parseIp(ip)?.family));
  if (kinds.size < ips.length)
    errors.push(invalid(listPath, ips, "may specify no more than one IP for each IP family"));
  return errors;
}

/** One network of IPv4 is here; only what has neither address nor selector may belong to another. */
function stackErrors(spec: Fields): FieldError[] {
  const ips: readonly string[] = spec.clusterIPs ?? [];
  const wanted: readonly string[] = spec.ipFamilies ?? [];
  const path = "spec.ipFamilyPolicy";
  const policy: string | undefined = spec.ipFamilyPolicy ?? undefined;
  const single = policy === undefined ? !isOpen(spec) : policy === "SingleStack";
  const shown = namedText(policy ?? "SingleStack");
  const errors = isHeadless(spec) ? [] : mismatchedFamilies(ips, wanted);
  if (errors.length > 0) return errors;
  const several = (what: string) =>
    invalid(path, shown, `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`);
  if (single && ips.length === 2) errors.push(several("cluster IPs"));
  if (single && wanted.length === 2) errors.push(several("IP families"));
  ips.forEach((ip, index) => {
    if (ip === "None" || index < wanted.length || parseIp(ip)?.family !== "IPv6") return;
    errors.push(invalid(`${listPath}[${index}]`, ips, "IPv6 is not configured on this cluster"));
  });
  if (errors.length > 0 || isOpen(spec)) return errors;
  if (policy === "RequireDualStack") {
    errors.push(invalid(path, namedText(policy), "this cluster is not configured for dual-stack services"));
  }
  wanted.forEach((family, index) => {
    if (family !== "IPv4") errors.push(invalid(`spec.ipFamilies[${index}]`, family, "not configured on this cluster"));
  });
  return errors;
}

function isOpen(spec: Fields): boolean {
  return spec.clusterIP === "None" && Object.keys(spec.selector ?? {}).length === 0;
}

function mismatchedFamilies(ips: readonly string[], wanted: readonly string[]): FieldError[] {
  return ips.slice(0, wanted.length).flatMap((ip, index) => {
    const family = wanted[index];
    if (parseIp(ip)?.family === family) return [];
    return [
      invalid(`${listPath}[${index}]`, ip, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``),
    ];
  });
}
