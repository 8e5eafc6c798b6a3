import { fnv1a32 } from "#base/fnv1a.ts";
import type { Random } from "#base/random.ts";

/**
 * A fresh uid, random but for one bit: whether its hash is odd depends on the object's name alone. Karmada lets ties between clusters
 * fall by that bit, and so it can be told before there is an object which way they will (ADR 0016).
 */
export function newUid(random: Random, { namespace = "", name = "" }: { namespace?: string; name?: string }): string {
  const wanted = fnv1a32(`${namespace}/${name}`) % 2;
  for (;;) {
    const uid = random.uuid();
    if (fnv1a32(uid) % 2 === wanted) return uid;
  }
}
