import { expect, test } from "vitest";
import { tellMany } from "#test/world/many-stories.ts";

const sequences = Number(process.env["FLOTILLA_SEQUENCES"] ?? 10_000);
const alone = process.env["FLOTILLA_SEED"];
const perWorld = 250;

/**
 * A share of the sequences; each file tells one, so that they are told side by side. One seed alone:
 * `FLOTILLA_SEED=7 npx vitest run test/scenarios/interleavings`.
 */
export function tellSequences({ share, of }: { readonly share: number; readonly of: number }): void {
  const all = Array.from({ length: Math.ceil(sequences / perWorld) }, (_, index) => index + 1);
  const seeds = (alone === undefined ? all : [Number(alone)]).filter((seed) => seed % of === share);
  test.each(seeds)(
    `seed %i: ${perWorld} sequences of edits, policies, suspensions, restarts and delays keep every promise`,
    { timeout: 300_000 },
    async (seed) => {
      expect(await tellMany(seed, perWorld)).toEqual([]);
    },
  );
  if (seeds.length === 0) test("the seed is told in another file", () => expect(alone).toBeDefined());
}
