import { writeFileSync } from "node:fs";
import { type AnsweredQuestion, compareSchemas } from "./compare-schemas.ts";
import { printReports, type Report } from "./report.ts";

export interface CompareOptions {
  readonly seed: number;
  readonly count: number;
  /** How many differences of each area are printed. */
  readonly show: number;
  /** The built tools/kubernetes-answers/schemas. */
  readonly oracle: string;
  /** Where answers are kept as fixtures; not kept where it is left out. */
  readonly keep?: string;
}

/** Compares our judgement of schemas and custom resources with Kubernetes' own code; says whether they agree. */
export function runSchemaComparison(options: CompareOptions): boolean {
  const results = compareSchemas(options.oracle, options);
  if (options.keep !== undefined)
    keepAnswers(
      options.keep,
      results.flatMap(({ answered }) => chosen(answered)),
    );
  const reports: readonly Report[] = results.map(({ report }) => report);
  return printReports(reports, options);
}

const keptOfEachSort = 80;
const keptCharacters = 1_400;

/** The smaller ones: they say as much, and somebody has to read them when one fails. */
function chosen(answered: readonly AnsweredQuestion[]): readonly AnsweredQuestion[] {
  return answered.filter((each) => JSON.stringify(each).length < keptCharacters).slice(0, keptOfEachSort);
}

function keepAnswers(file: string, answers: readonly AnsweredQuestion[]): void {
  writeFileSync(file, `[\n${answers.map((each) => JSON.stringify(each)).join(",\n")}\n]\n`);
}
