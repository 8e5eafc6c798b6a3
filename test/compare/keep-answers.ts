import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Fields } from "#api/meta/object-meta.ts";
import type { AnsweredRequest } from "./compare-requests.ts";
import type { AnsweredQuestion } from "./compare-schemas.ts";

interface Answered<T> {
  readonly answered: readonly T[];
}

const keptOfEachArea = 80;
const keptCharacters = 1_400;
const ruleCharacters = 1_000;

/** Keeps the smaller ones of each area: they say as much, and somebody has to read them when one fails; first one of every sort of answer. */
export function keepAnswers(file: string, results: readonly Answered<AnsweredQuestion | AnsweredRequest>[]): void {
  const texts = results.flatMap(({ answered }) =>
    rareFirst(answered.filter((each) => JSON.stringify(each).length < keptCharacters))
      .slice(0, keptOfEachArea)
      .map((each) => JSON.stringify(each)),
  );
  writeTexts(file, texts);
}

/** Adds to what the file holds the smallest refusals that say something which none of those says: of a kind, that a field is so. */
export function addRules(file: string, results: readonly Answered<AnsweredRequest>[]): void {
  const kept: AnsweredRequest[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  const said = new Set(kept.flatMap(findingsOf));
  const bySize = results
    .flatMap(({ answered }) => answered)
    .map((request) => ({ request, size: JSON.stringify(request).length }))
    .filter(({ size }) => size < ruleCharacters)
    .toSorted((a, b) => a.size - b.size);
  for (const { request } of bySize) {
    const news = findingsOf(request).filter((finding) => !said.has(finding));
    if (news.length === 0) continue;
    kept.push(request);
    for (const finding of news) said.add(finding);
  }
  writeTexts(
    file,
    kept.map((request) => JSON.stringify(request)),
  );
}

/** What is said of which kind and where, without places in lists, names of samples and values; templates of pods are alike in all kinds. */
function findingsOf({ area, path, answer }: AnsweredRequest): readonly string[] {
  const causes = ((answer.details as Fields | undefined)?.["causes"] ?? []) as readonly Fields[]; // of a Status
  const [named = ""] = path.split("?");
  const about = `${area === "status" ? "status" : "object"} ${named.replace(/\/s\d+$/, "")}`;
  const sayings = causes.map(({ field = "", message = "" }) => {
    const [, inTemplate] = /^(?:spec\.)?(?:jobTemplate\.spec\.)?template\.(spec\..*)$/.exec(field) ?? [];
    const place = (inTemplate ?? field).replaceAll(/\[[^\]]*\]/g, "[]");
    const words = message.replaceAll(/"(?:[^"\\]|\\.)*"|\{.*\}|\d+/gs, "_").slice(0, 60);
    return `${inTemplate === undefined ? about : "object /api/v1/namespaces/default/pods"} ${place} ${words}`;
  });
  const remarks = (answer.warnings ?? []).map((warning) => warning.replaceAll(/\\"[^"]*\\"|\d+/g, "_"));
  const all = [...sayings, ...remarks];
  return all.length === 0 ? [`${about} ${answer.code} ${answer.reason}`] : all;
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
