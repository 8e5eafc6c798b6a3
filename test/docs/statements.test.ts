import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseStory } from "#test/story/parse-story.ts";
import { renderStatements } from "#test/story/render-statements.ts";

const stories = join(import.meta.dirname, "..", "scenarios", "stories");
const told = readdirSync(stories)
  .filter((name) => name.endsWith(".story"))
  .flatMap((file) => parseStory(readFileSync(join(stories, file), "utf8")).map((scenario) => ({ file, scenario })));
const statements = JSON.parse(readFileSync(new URL("./fixtures/statements.json", import.meta.url), "utf8")) as Record<
  string,
  string
>;

test("every statement has a story, and every story's statement exists", () => {
  const shown = new Set(told.flatMap(({ scenario }) => scenario.statements));
  expect(Object.keys(statements).filter((number) => !shown.has(number))).toEqual([]);
  expect([...shown].filter((number) => !Object.hasOwn(statements, number))).toEqual([]);
});

test("docs/statements.md lists them", async () => {
  await expect(renderStatements(statements, told)).toMatchFileSnapshot("../../docs/statements.md");
});
