import type { PatternSource } from "./pattern-parts.ts";

/**
 * The value of a text that stands for others like it, made of parts that everybody may have but for those that whoever reads it may change.
 * Once for a pattern: what turns out to be the same in all of its texts is given out without a further look.
 */
export function sharedSample(text: string, { pool, isOwn }: Pick<PatternSource, "pool" | "isOwn">): object {
  const sample: object = JSON.parse(text);
  shareMembers(sample, 0);
  return sample;

  function shareMembers(group: object, depth: number): void {
    const members = group as Record<string, unknown>; // or a list: members all the same
    for (const name in members) {
      const part = members[name];
      if (typeof part !== "object" || part === null) continue;
      if (isOwn(depth + 1, Array.isArray(group) ? "" : name)) shareMembers(part, depth + 1);
      else members[name] = pool.constant(part); // an outline has no key __proto__
    }
  }
}
