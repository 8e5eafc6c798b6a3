import { StatusError } from "#api/meta/status-error.ts";
import { isJsonObject } from "#base/json.ts";

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
  let token: unknown;
  try {
    token = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    throw StatusError.badRequest("invalid continue token: continue key is not valid: it is not base64url-encoded JSON");
  }
  if (!isJsonObject(token) || token["v"] !== "meta.k8s.io/v1") {
    throw StatusError.badRequest(
      "invalid continue token: continue key is not valid: server does not recognize this encoded version",
    );
  }
  const { rv, start } = token;
  if (typeof rv !== "number" || !Number.isSafeInteger(rv) || rv === 0) {
    throw StatusError.badRequest(
      "invalid continue token: continue key is not valid: incorrect encoded start resourceVersion",
    );
  }
  if (typeof start !== "string" || !start.startsWith("/") || !start.endsWith("\0") || start.includes("/../")) {
    throw StatusError.badRequest(
      "invalid continue token: continue key is not valid: encoded start key missing or not a list key",
    );
  }
  return { revision: rv, start: start.slice(1, -1) };
}
