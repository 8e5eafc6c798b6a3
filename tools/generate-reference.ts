/** Writes docs/reference/kinds.md, metrics.md and cli.md from the declarations: `npm run reference`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { renderMetrics } from "#api/metrics/render-metrics.ts";
import { ourKinds } from "#api/our-kinds.ts";
import { renderReference } from "#api/render-reference.ts";
import { renderHelp } from "#cli/render-help.ts";

mkdirSync("docs/reference", { recursive: true });
writeFileSync("docs/reference/kinds.md", renderReference(ourKinds));
writeFileSync("docs/reference/metrics.md", renderMetrics());
writeFileSync("docs/reference/cli.md", renderHelp());
