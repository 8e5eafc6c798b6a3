import type { Scenario } from "./parse-story.ts";

/** A scenario and the file that it stands in. */
export interface Told {
  readonly file: string;
  readonly scenario: Scenario;
}

/** The page that lists every statement with the scenarios that show it and the rulings that they follow. */
export function renderStatements(statements: Readonly<Record<string, string>>, told: readonly Told[]): string {
  const rows = Object.entries(statements).map(([number, text]) => {
    const shown = told.filter(({ scenario }) => scenario.statements.includes(number));
    const rulings = [...new Set(shown.flatMap(({ scenario }) => scenario.settings["Ruling"] ?? []))];
    return `| ${number} | ${cell(text)} | ${shown.map(link).join("<br>")} | ${rulings.join(", ")} |`;
  });
  return [...heading, ...rows, ""].join("\n");
}

const heading = [
  "# The acceptance statements",
  "",
  "What the five proposals promise, statement by statement, and the story that shows it (`test/scenarios/stories`, played by",
  "`npx vitest run test/scenarios/stories.test.ts -t S27`). Where a ruling decides otherwise than the statement, the story follows the ruling.",
  "Stories marked *both* are played with namespaced and with cluster-scoped policies. This page is checked against the stories by",
  "`test/docs/statements.test.ts` (`-u` writes it anew).",
  "",
  "| # | Statement | Story | Ruling |",
  "|---|---|---|---|",
];

function link({ file, scenario }: Told): string {
  const title = scenario.title.replace(/^S[\dS, ]+ /, "");
  const both = scenario.tags.has("both-scopes") ? " *both*" : "";
  return `[${cell(title)}](../test/scenarios/stories/${file})${both}`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
