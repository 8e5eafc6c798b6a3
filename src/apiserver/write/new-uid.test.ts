import fc from "fast-check";
import { expect, test } from "vitest";
import { fnv1a32 } from "#base/fnv1a.ts";
import { seededRandom } from "#test/world/world.ts";
import { newUid } from "./new-uid.ts";

const bitOf = (text: string) => fnv1a32(text) % 2;

test("a uid is always another one, and its bit is the name's", () => {
  fc.assert(
    fc.property(fc.integer(), fc.string(), fc.string(), (seed, namespace, name) => {
      const random = seededRandom(seed);
      const [one, other] = [newUid(random, { namespace, name }), newUid(random, { namespace, name })];
      expect(one).not.toBe(other);
      expect([bitOf(one), bitOf(other)]).toEqual([bitOf(`${namespace}/${name}`), bitOf(`${namespace}/${name}`)]);
    }),
  );
});
