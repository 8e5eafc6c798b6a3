import { expect, test } from "vitest";
import { livedThrough } from "./plan-equals-outcome.ts";

test("what is planned is what happens, lane 3", { timeout: 600_000 }, async () => {
  expect(await livedThrough(3)).toBe("");
});
