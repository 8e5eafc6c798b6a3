import { spawnSync } from "node:child_process";
import { isDeepStrictEqual } from "node:util";
import { ourSchemaAnswer } from "./our-schema-answers.ts";
import type { Report } from "./report.ts";
import { type SchemaQuestion, schemaOps, schemaQuestion } from "./schema-questions.ts";

interface Answer {
  readonly answer?: unknown;
  /** Where Kubernetes leaves it to chance which of several faults it tells. */
  readonly oneOf?: readonly string[];
  /** It cannot be asked: no such object could be there. */
  readonly refused?: string;
}

/** One question with Kubernetes' answer, as the fixtures keep it. */
export type AnsweredQuestion = SchemaQuestion & { readonly answer: unknown };

export interface SchemaComparison {
  readonly report: Report;
  /** Those with something to tell, each with its answer. */
  readonly answered: readonly AnsweredQuestion[];
}

/** Asks the oracle (tools/kubernetes-answers/schemas, built) and our own code the same random questions, `count` of each sort. */
export function compareSchemas(oracle: string, { seed, count }: { readonly seed: number; readonly count: number }) {
  return schemaOps.map((op): SchemaComparison => {
    const questions = Array.from({ length: count }, (_, index) => schemaQuestion(op, seed * 1_000_000 + index));
    const answers = ask(oracle, questions);
    const differences: string[] = [];
    const answered: AnsweredQuestion[] = [];
    let asked = 0;
    for (const [index, question] of questions.entries()) {
      const given = answers[index]!;
      if (given.refused !== undefined) continue;
      asked++;
      const ours: unknown = JSON.parse(JSON.stringify(ourSchemaAnswer(question)));
      if (!agrees(ours, given)) {
        differences.push(JSON.stringify({ question, ours, theirs: given.answer ?? given.oneOf }));
      } else if (given.oneOf === undefined && isTelling(given.answer)) {
        answered.push({ ...question, answer: given.answer });
      }
    }
    return { report: { area: `schemas: ${op}`, cases: asked, differences }, answered };
  });
}

function ask(oracle: string, questions: readonly SchemaQuestion[]): readonly Answer[] {
  const input = questions.map((question) => JSON.stringify(question)).join("\n");
  const { stdout, stderr, status } = spawnSync(oracle, [], { input, encoding: "utf8", maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`cannot ask ${oracle}: ${stderr}`);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer); // as the oracle prints them
}

function agrees(ours: unknown, { answer, oneOf }: Answer): boolean {
  if (oneOf === undefined) return isDeepStrictEqual(ours, answer);
  return Array.isArray(ours) && ours.length === 1 && oneOf.includes(ours[0]);
}

function isTelling(answer: unknown): boolean {
  return !Array.isArray(answer) || answer.length > 0;
}
