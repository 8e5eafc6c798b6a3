import { expect, test } from "vitest";
import { livedThrough } from "./plan-equals-outcome.ts";

test("what is planned is what happens, lane 1", { timeout: 600_000 }, async () => {
  expect(await livedThrough(1)).toBe("");
});
