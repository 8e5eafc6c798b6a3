import { type AnsweredRequest, compareRequests, createSamples, installDefinitions } from "./compare-requests.ts";
import { compareSchemas } from "./compare-schemas.ts";
import { customSamples } from "./custom-samples.ts";
import { addRules, keepAnswers } from "./keep-answers.ts";
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
  /** Where refusals are added that have a finding, about a kind and a field, which none of those kept there has. */
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
  if (options.keepRules !== undefined) addRules(options.keepRules, results);
  return printReports(
    results.map(({ report }) => report),
    options,
  );
}
