import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One answer of a real kube-apiserver, as curl showed it. */
export interface Recording {
  readonly text: string;
  /** Undefined for a stream, headers, or a body that was cut. */
  readonly body: unknown;
  readonly code: number | undefined;
}

/** What a real kube-apiserver 1.36 answered, by the name under which it was recorded. */
export function readRecordings(): ReadonlyMap<string, Recording> {
  const text = readFileSync(join(import.meta.dirname, "fixtures", "kube-answers.txt"), "utf8");
  return new Map(text.split(/^## /m).slice(1).map(readRecording));
}

function readRecording(block: string): [string, Recording] {
  const [name, ...rest] = block.split("\n");
  const code = rest.findLast((line) => /^[0-9]{3}$/.test(line));
  const bodyText = rest.filter((line) => !/^[0-9]{3}$/.test(line)).join("\n");
  return [name!, { text: bodyText, body: parse(bodyText), code: code === undefined ? undefined : Number(code) }];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Without what must differ from server to server: identities, times, revisions, generated names. */
export function masked(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(maskedText(text));
}

/** The same for a text that may be cut anywhere. */
export function maskedText(text: string): string {
  return text
    .replaceAll(/"(uid|creationTimestamp|time|resourceVersion|continue)":( ?)"[^"]*"/g, '"$1":$2"<$1>"')
    .replaceAll(/"remainingItemCount":( ?)[0-9]+/g, '"remainingItemCount":$1"<n>"')
    .replaceAll(/"g-[a-z0-9]{5}"/g, '"g-<suffix>"')
    .replaceAll(/UID in record \([^)]*\)/g, "UID in record (<uid>)")
    .replaceAll(/current: [0-9]+/g, "current: <n>")
    .replaceAll(/(too old resource version: [0-9]+) \([0-9]+\)/g, "$1 (<n>)")
    .replaceAll(/("cells":\s*\[[^\]]*)"[0-9]+[smhd]([0-9]+[smhd])?"/g, '$1"<age>"');
}
