import { goQuote } from "#base/go-text.ts";
import { type IpAddress, parseCidr, parseIp, printIp } from "#base/ip-address.ts";

const canonical = "should be in RFC 5952 canonical format";

/** That an address is not written as everybody writes it. */
export function ipWarnings(path: string, text: string | undefined): string[] {
  const ip = parseIp(text ?? "");
  if (text === undefined || ip === undefined) return [];
  if (isMapped(ip)) return [`${path}: non-standard IP address ${goQuote(text)} is invalid: use ${goQuote(mapped(ip))}`];
  if (ip.family === "IPv4" || printIp(ip) === text) return [];
  return [`${path}: IPv6 address ${goQuote(text)} ${canonical} (${goQuote(printIp(ip))})`];
}

/** The same of a network. */
export function cidrWarnings(path: string, text: string | undefined): string[] {
  const network = parseCidr(text ?? "");
  if (text === undefined || network === undefined || network.family === "IPv4" || isMapped(network)) return [];
  const printed = `${printIp(network)}/${network.prefixLength}`;
  return printed === text ? [] : [`${path}: IPv6 CIDR value ${goQuote(text)} ${canonical} (${goQuote(printed)})`];
}

/** An IPv4 address in the clothes of an IPv6 one. */
function isMapped({ family, value }: IpAddress): boolean {
  return family === "IPv6" && value >> 32n === 0xffffn;
}

function mapped({ value }: IpAddress): string {
  return printIp({ family: "IPv4", value: value & 0xffffffffn });
}
