import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { type IpAddress, type IpNetwork, networkContains, parseCidr, parseIp } from "#base/ip-address.ts";

export interface AddressRules {
  /** Whether servers on this very machine may be talked to. */
  readonly allowLoopback: boolean;
}

export type Resolve = typeof systemLookup;

const loopback = networks("127.0.0.0/8", "::1/128");
/** Nowhere, link-local with the clouds' metadata services, multicast and reserved: no API server is there. */
const never = networks(
  "0.0.0.0/8",
  "169.254.0.0/16",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/128",
  "fe80::/10",
  "ff00::/8",
  "fd00:ec2::254/128",
);
/** Networks of IPv6 whose last 32 bits are an IPv4 address: mapped, compatible, translated. */
const embedding = networks("::ffff:0:0/96", "::/96", "64:ff9b::/96");

/** Why an address must not be connected to (SEC-09); undefined when it may be. */
export function addressRefusal(text: string, { allowLoopback }: AddressRules): string | undefined {
  const address = parseIp(text.replace(/%.*$/s, ""));
  if (address === undefined) return `${JSON.stringify(text)} is no IP address`;
  for (const each of [address, ...embeddedIn(address)]) {
    if (isIn(loopback, each)) {
      if (allowLoopback) return undefined;
      return `${text} is an address of this machine itself, which is not allowed`;
    }
    if (isIn(never, each)) return `${text} is link-local, multicast or reserved`;
  }
  return undefined;
}

/**
 * Looks names up and passes on only addresses that may be connected to. The socket connects to what this returns and asks nobody
 * again, so an answer that changes between two questions gains nothing.
 */
export function guardedLookup(rules: AddressRules, resolve: Resolve = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, "", 0);
      for (const { address } of addresses) {
        const refusal = addressRefusal(address, rules);
        if (refusal !== undefined) return callback(new Error(`cannot connect to ${hostname}: ${refusal}`), "", 0);
      }
      const first = addresses[0];
      if (first === undefined) return callback(new Error(`cannot connect to ${hostname}: it has no address`), "", 0);
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

/** Refuses hosts that are addresses already: a socket looks those up nowhere. */
export function expectAllowedHost(host: string, rules: AddressRules): void {
  const bare = host.replace(/^\[|\]$/g, "");
  const refusal = isIP(bare) === 0 ? undefined : addressRefusal(bare, rules);
  if (refusal !== undefined) throw new Error(`cannot connect to ${host}: ${refusal}`);
}

function embeddedIn(address: IpAddress): readonly IpAddress[] {
  if (address.family === "IPv4" || address.value <= 1n || !isIn(embedding, address)) return [];
  return [{ family: "IPv4", value: address.value & 0xffff_ffffn }];
}

function isIn(list: readonly IpNetwork[], address: IpAddress): boolean {
  return list.some((network) => networkContains(network, address));
}

function networks(...texts: readonly string[]): readonly IpNetwork[] {
  return texts.map((text) => parseCidr(text)!); // constants above
}
