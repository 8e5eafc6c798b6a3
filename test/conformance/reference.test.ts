import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderMetrics } from "#api/metrics/render-metrics.ts";
import { ourKinds } from "#api/our-kinds.ts";
import { renderReference } from "#api/render-reference.ts";
import { renderHelp } from "#cli/render-help.ts";

test("docs/reference/kinds.md is what tools/generate-reference.ts writes", () => {
  const committed = readFileSync(new URL("../../docs/reference/kinds.md", import.meta.url), "utf8");
  expect(committed).toBe(renderReference(ourKinds));
});

test("docs/reference/metrics.md is what tools/generate-reference.ts writes", () => {
  const committed = readFileSync(new URL("../../docs/reference/metrics.md", import.meta.url), "utf8");
  expect(committed).toBe(renderMetrics());
});

test("docs/reference/cli.md is what tools/generate-reference.ts writes", () => {
  const committed = readFileSync(new URL("../../docs/reference/cli.md", import.meta.url), "utf8");
  expect(committed).toBe(renderHelp());
});
