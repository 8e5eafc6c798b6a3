import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { expect, test } from "vitest";

/** Who may import whom. A folder may always import itself; nothing else is implied. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  schema: ["base"],
  api: ["base", "schema"],
  selection: ["base", "api"],
  interpreter: ["base", "api"],
  scheduling: ["base", "api", "selection"],
  overrides: ["base", "api", "selection"],
  admission: ["base", "schema", "api", "selection", "overrides"],
  lua: ["base", "api", "interpreter"],
  builtin: ["base", "schema", "api"],
  storage: ["base"],
  apiserver: ["base", "schema", "api", "storage"],
  client: ["base", "api"],
  runtime: ["base", "api", "client"],
  members: ["base", "api", "client", "runtime"],
  controllers: ["base", "api", "selection", "interpreter", "scheduling", "overrides", "client", "runtime", "members"],
  housekeeping: ["base", "api", "client", "runtime"],
  simulator: ["base", "api", "client", "runtime"],
  plan: [
    "base",
    "api",
    "selection",
    "admission",
    "interpreter",
    "scheduling",
    "overrides",
    "client",
    "runtime",
    "members",
    "controllers",
  ],
  app: [
    "base",
    "schema",
    "api",
    "selection",
    "interpreter",
    "scheduling",
    "overrides",
    "admission",
    "builtin",
    "storage",
    "apiserver",
    "client",
    "runtime",
    "members",
    "lua",
    "controllers",
    "housekeeping",
    "simulator",
    "plan",
  ],
  cli: ["base", "api", "selection", "overrides", "scheduling", "client", "runtime", "members", "app"],
};
const pure = new Set(["base", "schema", "api", "selection", "interpreter", "scheduling", "overrides", "admission"]);
const forbiddenNames = /^(utils?|helpers?|common|misc|types|constants|index|shared|manager|impl)(\.test)?\.ts$/;

const src = join(import.meta.dirname, "..", "src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

test("the check sees the source", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(Object.keys(mayImport)).toEqual(expect.arrayContaining([...new Set(files.map((file) => file.split(sep)[0]))]));
});

for (const file of files) {
  const text = readFileSync(join(src, file), "utf8");
  const folder = file.split(sep)[0]!;
  const isTest = /\.test\.ts$/.test(file);
  const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1]!);

  test(`${file} imports only what its layer may`, () => {
    const allowed = [folder, ...(mayImport[folder] ?? [])];
    for (const target of imports.filter((each) => each.startsWith("#"))) {
      const layer = target.slice(1).split("/")[0]!;
      expect(isTest && layer === "test" ? folder : layer, `${file} imports ${target}`).toSatisfy((each: string) =>
        allowed.includes(each),
      );
    }
    for (const target of imports.filter((each) => each.startsWith("."))) {
      const resolved = relative(src, join(src, file, "..", target));
      expect(resolved.split(sep)[0], `${file} leaves its folder by ${target}`).toBe(folder);
    }
  });

  test(`${file} keeps the house rules`, () => {
    expect(basename(file)).not.toMatch(forbiddenNames);
    expect(file.split(sep).length, "at most src/<folder>/<group>/<file>.ts").toBeLessThanOrEqual(3);
    const lines = text.split("\n").length;
    if (!isTest && lines > 400) expect(text.split("\n")[0], `${lines} lines`).toMatch(/^\/\/ long because:/);
    if (pure.has(folder) && !isTest) expect(text).not.toMatch(/\bDate\.now\(|\bMath\.random\(|\bnew Date\(\)/);
    if (folder !== "api" && !isTest)
      expect(text).not.toMatch(/kind\s*===?\s*"(Cluster)?(PropagationPolicy|OverridePolicy|ResourceBinding)"/);
  });
}
