import type { Fields } from "#api/meta/object-meta.ts";
import { goQuote } from "#base/go-text.ts";
import { jsonEquals } from "#base/json.ts";
import { parseYaml } from "#base/parse-yaml.ts";
import { masked } from "#test/conformance/recorded-answers.ts";
import type { Refusal, RequestQuestion } from "./request-question.ts";

/** What is compared of an answer: the warnings beside it, and of a refusal all that a client sees. */
export function refusalOf(answer: AnswerParts, question: RequestQuestion): Refusal {
  const { code, headers } = answer;
  const json = bodyOf(answer);
  const warnings = warningsOf(headers["warning"]);
  const remarks = { ...(warnings.length === 0 ? {} : { warnings }), ...formOf(answer, question) };
  if (code < 400) return { code, ...remarks, ...writtenMetadata(json, question) };
  const text = withoutSuffix(JSON.stringify(masked(json ?? {})), question)
    .replaceAll(uid, "<uid>")
    .replaceAll(printedTime, "$1<time>")
    .replaceAll(patchedText, "$1<patched>$2")
    .replaceAll(revision, "$1<n>")
    .replaceAll(missingKind, "$1<patched>'$2")
    .replaceAll(nodePort, "nodePort:<n>")
    .replaceAll(protobuf, "");
  const { reason, message, details } = JSON.parse(text) as Fields; // a Status, or nothing that we know
  return { code, reason, message, details, ...remarks };
}

/** What metadata became when a status was written, and who owns what by that; times and identities are each server's own. */
function writtenMetadata(json: Fields, { method, path }: RequestQuestion): Pick<Refusal, "metadata"> {
  const isStatus = /\/status(\?|$)/.test(path) && (method === "PUT" || method === "PATCH");
  const { metadata } = json;
  if (!isStatus || metadata === undefined) return {};
  const { managedFields = [], labels, annotations, ownerReferences, finalizers = [], generation } = metadata;
  const managers = managedFields
    .filter(({ subresource }: Fields) => subresource === "status")
    .map(({ manager, operation, fieldsV1 }: Fields) => ({ manager, operation, fieldsV1 }));
  const kept = finalizers.filter((name: string) => !protections.includes(name));
  const told = masked({ labels, annotations, ownerReferences, finalizers: kept, generation, managers });
  return { metadata: JSON.parse(JSON.stringify(told).replaceAll(uid, "<uid>")) };
}

/** Of a plugin that needs a cluster. */
const protections = ["kubernetes.io/pvc-protection", "kubernetes.io/pv-protection"];

/** A body in whatever form it came. */
function bodyOf({ json, headers, text }: AnswerParts): Fields {
  if (headers["content-type"] !== "application/yaml") return json;
  return (parseYaml(text).value ?? {}) as Fields; // whatever it is
}

/** The form of an answer, where one was asked for; of lists how many there are is each server's own. */
function formOf(answer: AnswerParts, { accept }: RequestQuestion): Pick<Refusal, "form"> {
  if (accept === undefined) return {};
  const [line = ""] = answer.text.split("\n");
  const isStream = line.startsWith('{"type":');
  const { kind, apiVersion, rows, object, type } = isStream ? (JSON.parse(line) as Fields) : bodyOf(answer); // an event
  const shown = object ?? rows?.[0]?.object;
  const inside = shown == null ? {} : { type, inside: [shown.kind, shown.apiVersion, Object.keys(shown).length] };
  return { form: { type: answer.headers["content-type"], kind, apiVersion, ...inside } };
}

interface AnswerParts {
  readonly text: string;
  readonly code: number;
  readonly json: Fields;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
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
  /(Invalid value: \\")\{.*?\}(\\": (?:json: |parsing time|quantities|illegal|unable to|strict|no kind|couldn't get|unexpected Group|Object '))/g;

/** Shown once more. */
const missingKind = /(Object 'Kind' is missing in ').*?\}'(["\]])/g;

const revision = /(ResourceVersion in record \(|ResourceVersion in object meta: )\d+/g;

/** Drawn by each server. */
const nodePort = /nodePort:3\d{4}/g;

/** Nothing is served as protobuf here, and so it is not among what is offered. */
const protobuf = /, application\/vnd\.kubernetes\.protobuf(;stream=watch)?/g;

/** In an object that a message prints. */
const printedTime = /(\\"(?:time|creationTimestamp)\\":\\")[^"\\]*/g;

/** Several headers come as one text. */
function warningsOf(header: string | string[] | undefined): readonly string[] {
  const text = Array.isArray(header) ? header.join(", ") : (header ?? "");
  return text === "" ? [] : text.split(/, (?=299 - ")/);
}

/** In what two answers differ, by what it costs a client: the code, what is refused where, the words of it, the warnings. */
export type Aspect = "code" | "cause" | "words" | "warning" | "form" | "metadata";

/** The gravest aspect in which two answers differ; findings in any order, for the order of Go's maps is random. */
export function differenceOf(ours: Refusal, theirs: Refusal): Aspect | undefined {
  const same = (part: (refusal: Refusal) => unknown) => JSON.stringify(part(ours)) === JSON.stringify(part(theirs));
  if (!same(({ code }) => code)) return "code";
  if (!same(({ reason }) => reason) || !same(placesOf)) return "cause";
  if (!same(wordsOf)) return "words";
  if (!same(({ warnings = [] }) => warnings.toSorted())) return "warning";
  if (!isToldAlike(ours.form, theirs.form)) return "form";
  return isToldAlike(ours.metadata, theirs.metadata) ? undefined : "metadata";
}

/** Older recordings do not tell everything. */
function isToldAlike(ours: unknown, theirs: unknown): boolean {
  return ours === undefined || theirs === undefined || jsonEquals(ours, theirs);
}

/** Whether two answers differ in no aspect. */
export function saysTheSame(ours: Refusal, theirs: Refusal): boolean {
  return differenceOf(ours, theirs) === undefined;
}

/** Whether both are what rules of a kind can say of an object: that it is good, or where it is not. */
export function isAboutRules(ours: Refusal, theirs: Refusal): boolean {
  return [ours, theirs].every(({ code, details }) => {
    if (code < 400) return true;
    const { kind = "", causes = [] } = (details ?? {}) as Fields;
    const isPatch = causes.some(({ field }: Fields) => field === "patch");
    return code === 422 && causes.length > 0 && kind !== "" && !kind.endsWith("Options") && !isPatch;
  });
}

/** Of an apply: `errors:` with one line for each. */
function withSortedLines(message: string): string {
  const [start, list] = message.split("errors:\n");
  return list === undefined ? message : `${start}errors:\n${list.split("\n").toSorted().join("\n")}`;
}

function causesOf({ details }: Refusal): readonly Fields[] {
  return ((details ?? {}) as Fields)["causes"] ?? [];
}

/** Equal findings once: K15. */
function distinctCauses(refusal: Refusal, members: string[]): readonly string[] {
  return [...new Set(causesOf(refusal).map((cause) => JSON.stringify(cause, members)))].toSorted();
}

function placesOf(refusal: Refusal): unknown {
  const { name, group, kind, uid, retryAfterSeconds } = (refusal.details ?? {}) as Fields;
  return [{ name, group, kind, uid, retryAfterSeconds }, distinctCauses(refusal, ["field", "reason"])];
}

function wordsOf(refusal: Refusal): unknown {
  const texts = causesOf(refusal).map(({ field, message }) => `${field}: ${message}`);
  let message = withSortedLines(refusal.message ?? "");
  for (const text of texts.toSorted((a, b) => b.length - a.length)) message = message.replaceAll(text, "…");
  return [message, distinctCauses(refusal, ["field", "message", "reason"])];
}
