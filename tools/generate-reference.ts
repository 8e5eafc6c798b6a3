/**
 * Writes docs/reference/kinds.md and docs/reference/metrics.md from the declarations. Run from the root of the repository:
 *
 *   npx esbuild tools/generate-reference.ts --bundle --platform=node --format=esm --packages=external --outfile=dist/generate-reference.mjs
 *   node dist/generate-reference.mjs
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { renderMetrics } from "#api/metrics/render-metrics.ts";
import { ourKinds } from "#api/our-kinds.ts";
import { renderReference } from "#api/render-reference.ts";

mkdirSync("docs/reference", { recursive: true });
writeFileSync("docs/reference/kinds.md", renderReference(ourKinds));
writeFileSync("docs/reference/metrics.md", renderMetrics());
