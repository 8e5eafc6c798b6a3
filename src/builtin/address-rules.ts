import { type FieldError, invalid } from "#base/field-error.ts";
import { networkContains, parseCidr, parseIp } from "#base/ip-address.ts";

/** An IP address of either family. */
export function ipErrors(path: string, value: string): FieldError[] {
  if (parseIp(value) !== undefined) return [];
  return [invalid(path, value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")];
}

/** A network of either family. */
export function cidrErrors(path: string, value: string): FieldError[] {
  if (parseCidr(value) !== undefined) return [];
  return [invalid(path, value, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
}

const special: readonly (readonly [string, string])[] = [
  ["127.0.0.0/8", "may not be in the loopback range (127.0.0.0/8, ::1/128)"],
  ["::1/128", "may not be in the loopback range (127.0.0.0/8, ::1/128)"],
  ["169.254.0.0/16", "may not be in the link-local range (169.254.0.0/16, fe80::/10)"],
  ["fe80::/10", "may not be in the link-local range (169.254.0.0/16, fe80::/10)"],
  ["224.0.0.0/24", "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"],
  ["ff02::/16", "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"],
];

/** An address that traffic from other machines can reach. */
export function reachableIpErrors(path: string, value: string): FieldError[] {
  const ip = parseIp(value);
  if (ip === undefined) return [invalid(path, value, "must be a valid IP address")];
  const errors = ip.value === 0n ? [invalid(path, value, `may not be unspecified (${value})`)] : [];
  for (const [range, message] of special) {
    const network = parseCidr(range);
    if (network !== undefined && networkContains(network, ip)) errors.push(invalid(path, value, message));
  }
  return errors;
}
