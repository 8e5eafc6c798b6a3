import { expect, test } from "vitest";
import { livedThrough } from "./plan-equals-outcome.ts";

test("what is planned is what happens, lane 2", { timeout: 600_000 }, async () => {
  expect(await livedThrough(2)).toBe("");
});
