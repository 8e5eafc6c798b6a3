import { StatusError } from "#api/meta/status-error.ts";
import { isJsonObject } from "#base/json.ts";
import { JsonSyntaxError, parseJson } from "#base/parse-json.ts";
import { jsonProblem } from "./json-problem.ts";

export interface ContinueToken {
  /** The snapshot the pages are cut from; -1: the newest state. */
  readonly revision: number;
  /** The key below the list's prefix after which the next page starts. */
  readonly start: string;
}

/** Kubernetes' own form: base64url of JSON, the start key with a trailing NUL (the first key after it). */
export function printContinue({ revision, start }: ContinueToken): string {
  const token = JSON.stringify({ v: "meta.k8s.io/v1", rv: revision, start: `/${start}\0` });
  return Buffer.from(token).toString("base64url");
}

export function parseContinue(text: string): ContinueToken {
  const token = decode(text);
  if (!isJsonObject(token) || token["v"] !== "meta.k8s.io/v1") {
    throw refuse("server does not recognize this encoded version");
  }
  const { rv, start } = token;
  if (typeof rv !== "number" || !Number.isSafeInteger(rv) || rv === 0) {
    throw refuse("incorrect encoded start resourceVersion");
  }
  if (typeof start !== "string" || start === "") throw refuse("encoded start key empty");
  const key = start.startsWith("/") ? start : `/${start}`;
  if (/\/(\.{0,2})(\/|$)/.test(key)) throw refuse(start);
  return { revision: rv, start: key.slice(1).replace(/\0$/, "") }; // ours end in NUL; others may begin a key too late
}

function decode(text: string): unknown {
  const stranger = text.search(/[^A-Za-z0-9_-]/);
  if (stranger >= 0) throw refuse(`illegal base64 data at input byte ${stranger}`);
  const bytes = Buffer.from(text, "base64url");
  try {
    return parseJson(bytes.toString("utf8")).value;
  } catch (error: unknown) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw refuse(jsonProblem(bytes));
  }
}

function refuse(why: string): StatusError {
  return StatusError.badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
