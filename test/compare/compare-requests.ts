import { differenceOf, isAboutRules, refusalOf } from "./compare-refusals.ts";
import { ourDefinitions } from "./custom-samples.ts";
import type { Report } from "./report.ts";
import { type RequestArea, requestQuestion } from "./request-areas.ts";
import type { Refusal, RequestQuestion } from "./request-question.ts";
import type { Sample } from "./sample-objects.ts";
import { type ComparedServer, send, type TwoServers } from "./two-servers.ts";

/** A request with the refusal of a real kube-apiserver, as the fixtures keep it. */
export interface AnsweredRequest extends RequestQuestion {
  readonly area: RequestArea;
  readonly answer: Refusal;
}

export interface RequestComparison {
  readonly report: Report;
  readonly answered: readonly AnsweredRequest[];
}

/** Puts our definitions on both servers, and waits until what they define is served. */
export async function installDefinitions({ ours, theirs }: TwoServers): Promise<void> {
  await Promise.all([ours, theirs].map(installOn));
}

/** The same on one of them. */
export async function installOn(server: ComparedServer): Promise<void> {
  const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  for (const definition of ourDefinitions()) {
    await send(server, { method: "POST", path: collection, body: JSON.stringify(definition) });
    const { group, names, versions } = definition["spec"];
    const served = { method: "GET", path: `/apis/${group}/${versions[0].name}/${names.plural}` };
    while ((await send(server, served)).code !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Creates the samples on both servers; what is not accepted by both is left out. */
export async function createSamples(servers: TwoServers, samples: readonly Sample[]): Promise<readonly Sample[]> {
  const created: Sample[] = [];
  for (const sample of samples) {
    const question = { method: "POST", path: sample.collection, body: JSON.stringify(sample.object) };
    const [ours, theirs] = await Promise.all([send(servers.ours, question), send(servers.theirs, question)]);
    if (ours.code === 201 && theirs.code === 201) created.push(sample);
    else
      console.error(
        `${sample.name}: ${ours.code} here, ${theirs.code} there: ${theirs.json["message"] ?? ours.json["message"]}`,
      );
  }
  return created;
}

/** Sends both servers the same random requests of one area. */
export async function compareRequests(
  servers: TwoServers,
  samples: readonly Sample[],
  { area, seed, count }: { readonly area: RequestArea; readonly seed: number; readonly count: number },
): Promise<RequestComparison> {
  const differences: string[] = [];
  const aspects = new Map<string, number>();
  const answered: AnsweredRequest[] = [];
  for (let index = 0; index < count; index++) {
    const question = requestQuestion(area, samples, seed * 1_000_000 + index);
    const [ourAnswer, theirAnswer] = await Promise.all([send(servers.ours, question), send(servers.theirs, question)]);
    const ours = refusalOf(ourAnswer, question);
    const theirs = refusalOf(theirAnswer, question);
    const difference = differenceOf(ours, theirs);
    if (theirs.code === 0) continue; // it panicked and hung up: that is no answer
    if (difference !== undefined) {
      const aspect =
        isAboutRules(ours, theirs) && !["warning", "form", "metadata"].includes(difference)
          ? `rule (${difference})`
          : difference;
      aspects.set(aspect, (aspects.get(aspect) ?? 0) + 1);
      differences.push(JSON.stringify({ aspect, question, ours, theirs }));
    } else if (theirs.code >= 400 || [theirs.warnings, theirs.metadata, theirs.form].some((part) => part !== undefined))
      answered.push({ area, ...question, answer: theirs });
  }
  return { report: { area, cases: count, differences, aspects }, answered };
}
