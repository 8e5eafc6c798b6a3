/**
 * Writes docs/reference/kinds.md from the declarations. Run from the root of the repository:
 *
 *   npx esbuild tools/generate-reference.ts --bundle --platform=node --format=esm --packages=external --outfile=dist/generate-reference.mjs
 *   node dist/generate-reference.mjs
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { ourKinds } from "#api/our-kinds.ts";
import { renderReference } from "#api/render-reference.ts";

mkdirSync("docs/reference", { recursive: true });
writeFileSync("docs/reference/kinds.md", renderReference(ourKinds));
