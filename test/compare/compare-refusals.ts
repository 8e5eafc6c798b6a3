import type { Fields } from "#api/meta/object-meta.ts";
import { goQuote } from "#base/go-text.ts";
import { masked } from "#test/conformance/recorded-answers.ts";
import type { Refusal, RequestQuestion } from "./request-question.ts";

/** What is compared of an answer: of a refusal all that a client sees, of anything else that it is none. */
export function refusalOf(code: number, body: Fields, question: RequestQuestion): Refusal {
  if (code < 400) return { code };
  const text = withoutSuffix(JSON.stringify(masked(body ?? {})), question)
    .replaceAll(uid, "<uid>")
    .replaceAll(patchedText, "$1<patched>$2")
    .replaceAll(revision, "$1<n>");
  const { reason, message, details } = JSON.parse(text) as Fields; // a Status, or nothing that we know
  return { code, reason, message, details };
}

/** A generated name ends with what each server draws by itself. */
function withoutSuffix(text: string, { body = "" }: RequestQuestion): string {
  const prefix = /"generateName":("(?:[^"\\]|\\.)+")/.exec(body)?.[1];
  if (prefix === undefined) return text;
  const start: string = JSON.parse(prefix).slice(0, 58);
  const printed = [goQuote(start), start, JSON.stringify(start)].map((form) => form.replace(/^"(.*)"$/, "$1"));
  const forms = printed.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]);
  return forms.reduce(
    (done, form) =>
      done.replaceAll(
        new RegExp(`${form.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")}[a-z0-9]{5}(?=\\\\?")`, "g"),
        `${form}<any>`,
      ),
    text,
  );
}

const uid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What a patch would have made of the object is full of what differs from server to server: revisions, times, managed fields. */
const patchedText =
  /(Invalid value: \\")\{.*?\}(\\": (?:json: |parsing time|quantities|illegal|unable to|strict|no kind))/g;

const revision = /(ResourceVersion in record \()\d+/g;

/** Whether two refusals say the same; findings in any order, for the order of Go's maps is random. */
export function saysTheSame(ours: Refusal, theirs: Refusal): boolean {
  return JSON.stringify(inOrder(ours)) === JSON.stringify(inOrder(theirs));
}

/** Of an apply: `errors:` with one line for each. */
function withSortedLines(message: string): string {
  const [start, list] = message.split("errors:\n");
  return list === undefined ? message : `${start}errors:\n${list.split("\n").toSorted().join("\n")}`;
}

function inOrder(refusal: Refusal): unknown {
  const details = (refusal.details ?? {}) as Fields;
  const causes: readonly Fields[] = details["causes"] ?? [];
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  let message = withSortedLines(refusal.message ?? "");
  for (const text of texts.toSorted((a, b) => b.length - a.length)) message = message.replaceAll(text, "…");
  const sorted = [...new Set(causes.map((cause) => JSON.stringify(cause, ["field", "message", "reason"])))].toSorted(); // K15
  const { name, group, kind, uid, retryAfterSeconds } = details;
  return [refusal.code, refusal.reason, message, { name, group, kind, uid, retryAfterSeconds, causes: sorted }];
}
