import { describe, expect, test } from "vitest";
import { live } from "#test/world/swarm.ts";

const alone = process.env["FLOTILLA_SEED"];
const count = Number(process.env["FLOTILLA_SEEDS"] ?? 150);
const first = Number(process.env["FLOTILLA_FIRST_SEED"] ?? 1);
const lanes = 3;

describe("anything that users do, whatever goes wrong", () => {
  test.each(Array.from({ length: lanes }, (_, lane) => lane))(
    "lane %i: at rest everything is as it should be",
    {
      timeout: 60_000 + count * 2_000,
    },
    async (lane) => {
      const failures: string[] = [];
      const seeds = alone === undefined ? Array.from({ length: count }, (_, index) => first + index) : [Number(alone)];
      for (const seed of seeds.filter((each) => each % lanes === lane)) {
        const wrong = await live(seed).catch((error: unknown) => [String(error)]);
        if (wrong.length > 0)
          failures.push(`FLOTILLA_SEED=${seed} npx vitest run test/scenarios/swarm.test.ts\n${wrong.join("\n")}`);
        if (failures.length >= 5) break;
      }
      expect(failures.join("\n\n")).toBe("");
    },
  );
});
