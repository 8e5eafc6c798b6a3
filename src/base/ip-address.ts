/** An address as a number; texts that differ only in spelling are equal. */
export interface IpAddress {
  readonly family: "IPv4" | "IPv6";
  readonly value: bigint;
}

export interface IpNetwork extends IpAddress {
  readonly prefixLength: number;
}

/** Reads an address; undefined when it is none. Leading zeros are refused: programs disagree about what they mean. */
export function parseIp(text: string): IpAddress | undefined {
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text);
}

/** Reads `10.0.0.0/8` or `2001:db8::/32`; undefined when it is no network. */
export function parseCidr(text: string): IpNetwork | undefined {
  const [address = "", length = "", ...rest] = text.split("/");
  const ip = parseIp(address);
  if (ip === undefined || rest.length > 0 || !/^(0|[1-9][0-9]{0,2})$/.test(length)) return undefined;
  const prefixLength = Number(length);
  return prefixLength <= bitsOf(ip) ? { ...ip, prefixLength } : undefined;
}

/** The one form in which everybody writes an address: for IPv6 that of RFC 5952. */
export function printIp({ family, value }: IpAddress): string {
  const groupOf = (place: number, bits: number) =>
    Number((value >> BigInt(place * bits)) & ((1n << BigInt(bits)) - 1n));
  if (family === "IPv4") return [3, 2, 1, 0].map((place) => groupOf(place, 8)).join(".");
  const groups = [7, 6, 5, 4, 3, 2, 1, 0].map((place) => groupOf(place, 16).toString(16));
  const runs = [...groups.join(":").matchAll(/\b0(:0)+\b/g)].map(([run]) => run);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  if (longest === "") return groups.join(":");
  const [head = "", ...tail] = splitAtFirst(groups.join(":"), longest);
  return `${head.replace(/:$/, "")}::${tail.join("").replace(/^:/, "")}`;
}

function splitAtFirst(text: string, run: string): [string, string] {
  const place = new RegExp(`\\b${run}\\b`).exec(text)?.index ?? 0;
  return [text.slice(0, place), text.slice(place + run.length)];
}

/** Whether an address lies in a network. */
export function networkContains(network: IpNetwork, address: IpAddress): boolean {
  if (network.family !== address.family) return false;
  const shift = BigInt(bitsOf(network) - network.prefixLength);
  return network.value >> shift === address.value >> shift;
}

function bitsOf(ip: IpAddress): number {
  return ip.family === "IPv4" ? 32 : 128;
}

function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = value * 256n + BigInt(part);
  }
  return { family: "IPv4", value };
}

function parseIpv6(text: string): IpAddress | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const groups = halves.map((half) => (half === "" ? [] : groupsOf(half)));
  const [head, tail] = groups;
  if (head === undefined || (groups.length === 2 && tail === undefined)) return undefined;
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (groups.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const all = [...head, ...new Array<number>(missing).fill(0), ...(tail ?? [])];
  return { family: "IPv6", value: all.reduce((value, group) => value * 65536n + BigInt(group), 0n) };
}

/** The 16-bit groups of one side of `::`; the last may be written as an IPv4 address. */
function groupsOf(half: string): number[] | undefined {
  const parts = half.split(":");
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const embedded = index === parts.length - 1 ? parseIpv4(part) : undefined;
    if (embedded === undefined) return undefined;
    groups.push(Number(embedded.value >> 16n), Number(embedded.value & 0xffffn));
  }
  return groups;
}
