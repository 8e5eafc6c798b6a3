import { writeFileSync } from "node:fs";
import type { Fields } from "#api/meta/object-meta.ts";
import { type AnsweredRequest, compareRequests, createSamples, installDefinitions } from "./compare-requests.ts";
import { type AnsweredQuestion, compareSchemas } from "./compare-schemas.ts";
import { customSamples } from "./custom-samples.ts";
import { printReports, type Report } from "./report.ts";
import { isAboutCustom, requestAreas } from "./request-areas.ts";
import { builtinSamples } from "./sample-objects.ts";
import { startTwoServers } from "./two-servers.ts";

interface CompareOptions {
  readonly seed: number;
  readonly count: number;
  /** How many differences of each area are printed. */
  readonly show: number;
  /** Where answers are kept as fixtures; not kept where it is left out. */
  readonly keep?: string;
}

interface RequestOptions extends CompareOptions {
  readonly root: string;
  /** All where none is named. */
  readonly areas: readonly string[];
  /** Where one refusal of each sort is kept: the smallest with these findings about this kind. */
  readonly keepRules?: string;
}

/** Compares our judgement of schemas and custom resources with Kubernetes' own code (tools/kubernetes-answers/schemas, built); says whether they agree. */
export function runSchemaComparison(options: CompareOptions & { readonly oracle: string }): boolean {
  const results = compareSchemas(options.oracle, options);
  if (options.keep !== undefined) keepAnswers(options.keep, results);
  return printReports(
    results.map(({ report }) => report),
    options,
  );
}

/** Sends a real kube-apiserver and ours the same requests, `count` of each area; says whether they agree. */
export async function runRequestComparison(options: RequestOptions): Promise<boolean> {
  await using servers = await startTwoServers();
  const samples = await createSamples(servers, builtinSamples(options.root));
  const chosen = requestAreas.filter((area) => options.areas.length === 0 || options.areas.includes(area));
  if (chosen.some(isAboutCustom)) await installDefinitions(servers);
  const custom = chosen.some(isAboutCustom) ? await createSamples(servers, customSamples()) : [];
  const results: { readonly report: Report; readonly answered: readonly AnsweredRequest[] }[] = [];
  for (const area of chosen)
    results.push(await compareRequests(servers, isAboutCustom(area) ? custom : samples, { ...options, area }));
  if (options.keep !== undefined) keepAnswers(options.keep, results);
  if (options.keepRules !== undefined) writeTexts(options.keepRules, oneOfEachSort(results));
  return printReports(
    results.map(({ report }) => report),
    options,
  );
}

const keptOfEachArea = 80;
const keptCharacters = 1_400;
const ruleCharacters = 800;

/** Keeps the smaller ones of each area: they say as much, and somebody has to read them when one fails; first one of every sort of answer. */
function keepAnswers(
  file: string,
  results: readonly { readonly answered: readonly (AnsweredQuestion | AnsweredRequest)[] }[],
): void {
  const texts = results.flatMap(({ answered }) =>
    rareFirst(answered.filter((each) => JSON.stringify(each).length < keptCharacters))
      .slice(0, keptOfEachArea)
      .map((each) => JSON.stringify(each)),
  );
  writeTexts(file, texts);
}

function oneOfEachSort(results: readonly { readonly answered: readonly AnsweredRequest[] }[]): readonly string[] {
  const smallest = new Map<string, string>();
  for (const request of results.flatMap(({ answered }) => answered)) {
    const text = JSON.stringify(request);
    const kept = smallest.get(sortOf(request));
    if (text.length < Math.min(ruleCharacters, kept?.length ?? Number.POSITIVE_INFINITY))
      smallest.set(sortOf(request), text);
  }
  return [...smallest.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
}

/** Where in which kind something was found, without places in lists and names of samples. */
function sortOf({ area, path, answer }: AnsweredRequest): string {
  const causes = ((answer.details as Fields | undefined)?.["causes"] ?? []) as readonly Fields[]; // of a Status
  const findings = causes.map(({ field = "", reason }) => `${reason} ${field.replaceAll(/\[[^\]]*\]/g, "[]")}`);
  const [collection = ""] = path.split("?");
  return [area, collection.replace(/\/s\d+$/, ""), answer.code, ...new Set(findings.toSorted())].join(" ");
}

function writeTexts(file: string, texts: readonly string[]): void {
  writeFileSync(file, `[\n${texts.join(",\n")}\n]\n`);
}

/** What quotes hold is not what makes a sort. */
function rareFirst<T extends { readonly answer: unknown }>(answered: readonly T[]): readonly T[] {
  const sorts = new Set<string>();
  const [first, others]: [T[], T[]] = [[], []];
  for (const each of answered) {
    const sort = JSON.stringify(each.answer).replaceAll(/\\"[^"]*\\"|[0-9]+|"name":"[^"]*"/g, "");
    (sorts.has(sort) ? others : first).push(each);
    sorts.add(sort);
  }
  return [...first, ...others];
}
