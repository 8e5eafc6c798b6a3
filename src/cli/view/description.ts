import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { isJsonObject } from "#base/json.ts";
import { printYaml } from "#base/print-yaml.ts";
import type { Paint } from "../print/paint.ts";
import { plainText } from "../print/plain-text.ts";
import { tableLines } from "../print/table.ts";
import { concealed } from "./concealed.ts";

export interface DescriptionNeeds {
  readonly cluster: string;
  readonly events: readonly ApiObject[];
  readonly paint: Paint;
}

/** One object in full but for what is secret: who it is, its conditions, its fields, and what happened to it. */
export function descriptionLines(object: ApiObject, { cluster, events, paint }: DescriptionNeeds): readonly string[] {
  const { apiVersion, kind, metadata, status, ...fields } = concealed(object) as ApiObject; // the same but for texts
  const { conditions, ...reported } = (isJsonObject(status) ? status : {}) as Fields; // read with care below
  return [
    ...pairs({ Cluster: cluster, Kind: `${kind} (${apiVersion})`, Name: metadata.name, Namespace: metadata.namespace }),
    ...pairs({ Created: metadata.creationTimestamp, Deleting: metadata.deletionTimestamp }),
    ...map("Labels", metadata.labels),
    ...map("Annotations", metadata.annotations),
    ...conditionLines(conditions, paint),
    ...Object.entries(fields).flatMap(([name, value]) => section(name, value)),
    ...section("status", reported),
    ...eventLines(events, paint),
  ];
}

const width = 13;

function pairs(values: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${`${name}:`.padEnd(width)}${plainText(value)}`],
  );
}

function map(title: string, values: Readonly<Record<string, string>> | undefined): readonly string[] {
  const entries = Object.entries(values ?? {});
  return entries.map(
    ([key, value], at) => `${(at === 0 ? `${title}:` : "").padEnd(width)}${plainText(`${key}=${value}`)}`,
  );
}

function conditionLines(conditions: unknown, paint: Paint): readonly string[] {
  const list = (Array.isArray(conditions) ? conditions : []).filter(isJsonObject) as readonly Fields[];
  if (list.length === 0) return [];
  const rows = list.map(({ type, status, reason, message }) => [type, status, reason, message].map(cell));
  const columns = ["TYPE", "STATUS", "REASON", "MESSAGE"].map((name) => ({ name }));
  return [paint.bold("Conditions:"), ...indented(tableLines({ columns, rows }))];
}

function section(name: string, value: unknown): readonly string[] {
  const isEmpty = value === undefined || (isJsonObject(value) && Object.keys(value).length === 0);
  if (isEmpty) return [];
  const title = `${name.slice(0, 1).toUpperCase()}${plainText(name.slice(1))}:`;
  const lines = printYaml(value).trimEnd().split("\n").map(plainText);
  return typeof value === "object" ? [title, ...indented(lines)] : [`${title.padEnd(width)}${lines.join(" ")}`];
}

function eventLines(events: readonly ApiObject[], paint: Paint): readonly string[] {
  if (events.length === 0) return ["Events:      <none>"];
  const rows = (events as readonly Fields[])
    .toSorted((a, b) => (String(a["lastTimestamp"]) < String(b["lastTimestamp"]) ? -1 : 1))
    .map(({ type, reason, count, lastTimestamp, message }) => [
      type === "Warning" ? paint.yellow("Warning") : cell(type),
      ...[reason, lastTimestamp, count ?? 1, message].map(cell),
    ]);
  const columns = ["TYPE", "REASON", "LAST SEEN", "COUNT", "MESSAGE"].map((name) => ({ name }));
  return [paint.bold("Events:"), ...indented(tableLines({ columns, rows }))];
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

function cell(value: unknown): string {
  return plainText(String(value ?? ""));
}
