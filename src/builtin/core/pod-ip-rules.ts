import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, invalid } from "#base/field-error.ts";
import { parseIp } from "#base/ip-address.ts";
import { ipErrors } from "../address-rules.ts";
import { isMissing } from "../value-rules.ts";

/** What is wrong with the addresses of a pod. */
export function podIpErrors(status: Fields, before: Fields): FieldError[] {
  return listErrors("status.podIPs", podIpsOf(status), podIpsOf(before));
}

/** What is wrong with the addresses of the node of a pod. */
export function hostIpErrors(status: Fields, before: Fields): FieldError[] {
  const ips = listed(status.hostIPs);
  const [first] = ips;
  if (first === undefined) return [];
  return [
    ...(first === (status.hostIP ?? "") ? [] : [invalid("status.hostIPs[0].ip", first, "must be equal to `hostIP`")]),
    ...listErrors("status.hostIPs", ips, listed(before.hostIPs)),
  ];
}

/** The single address wins over a list that begins with another. */
function podIpsOf({ podIP, podIPs }: Fields): readonly string[] {
  const ips = listed(podIPs);
  return isMissing(podIP) || ips[0] === podIP ? ips : [podIP];
}

function listed(ips: readonly Fields[] | undefined | null): readonly string[] {
  return (ips ?? []).map(({ ip }) => ip ?? "");
}

/** At most one of each family; what was there before is not judged again. */
function listErrors(path: string, ips: readonly string[], before: readonly string[]): FieldError[] {
  const errors = ips.flatMap((ip, index) => (before.includes(ip) ? [] : ipErrors(`${path}[${index}]`, ip)));
  if (ips.length < 2) return errors;
  const families = ips.map((ip) => parseIp(ip)?.family);
  const broken = families.indexOf(undefined);
  if (broken >= 0) {
    const detail = `failed to check for dual stack with error:invalid IP[${broken}]: ${ips[broken]}`;
    errors.push({ path, type: "internal", detail });
  }
  if (broken < 0 && ips.length === 2 && new Set(families).size === 2) return errors;
  const shown = ips.map((ip) => ({ IP: ip }));
  return [...errors, invalid(path, shown, "may specify no more than one IP for each IP family")];
}
