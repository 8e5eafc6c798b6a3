import fc from "fast-check";
import { expect, test } from "vitest";
import { networkContains, parseCidr, parseIp } from "./ip-address.ts";

const rows: Record<string, { text: string; value: bigint | undefined }> = {
  "a dotted quad": { text: "10.0.0.1", value: 0x0a000001n },
  "a leading zero is refused": { text: "10.0.0.01", value: undefined },
  "a part above 255 is refused": { text: "10.0.0.256", value: undefined },
  "three parts are refused": { text: "10.0.1", value: undefined },
  "zeros left out": { text: "2001:db8::1", value: 0x20010db8000000000000000000000001n },
  "nothing but zeros": { text: "::", value: 0n },
  "an embedded IPv4 address": { text: "::ffff:10.0.0.1", value: 0xffff0a000001n },
  "zeros left out twice are refused": { text: "1::2::3", value: undefined },
  "eight groups and a gap are refused": { text: "1:2:3:4:5:6:7::8", value: undefined },
  "seven groups are refused": { text: "1:2:3:4:5:6:7", value: undefined },
  "text is refused": { text: "web", value: undefined },
};
for (const [name, { text, value }] of Object.entries(rows)) {
  test(name, () => expect(parseIp(text)?.value).toBe(value));
}

test("a network contains its own addresses only", () => {
  const network = parseCidr("10.96.0.0/12")!;
  expect(networkContains(network, parseIp("10.111.255.255")!)).toBe(true);
  expect(networkContains(network, parseIp("10.112.0.0")!)).toBe(false);
  expect(networkContains(network, parseIp("::1")!)).toBe(false);
});

test("a prefix longer than the address is refused", () => {
  expect([parseCidr("10.0.0.0/33"), parseCidr("::/129"), parseCidr("10.0.0.0"), parseCidr("10.0.0.0/08")]).toEqual(
    new Array(4).fill(undefined),
  );
});

test("every address of either family is read", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      expect(parseIp(text)).toBeDefined();
    }),
  );
});
