import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { AnsweredQuestion } from "#test/compare/compare-schemas.ts";
import { ourSchemaAnswer } from "#test/compare/our-schema-answers.ts";
import { schemaOps } from "#test/compare/schema-questions.ts";

const text = readFileSync(new URL("./fixtures/schema-answers.json", import.meta.url), "utf8");
const questions: readonly AnsweredQuestion[] = JSON.parse(text);

for (const op of schemaOps) {
  const chosen = questions.filter((question) => question.op === op);
  test(`${op}: Kubernetes' answers to ${chosen.length} random schemas and values are ours`, () => {
    expect(chosen.length).toBeGreaterThan(50);
    for (const question of chosen) {
      expect(ourSchemaAnswer(question), JSON.stringify(question)).toEqual(question.answer);
    }
  });
}
