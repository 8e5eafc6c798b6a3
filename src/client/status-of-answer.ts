import { type StatusDetails, StatusError, type StatusReason } from "#api/meta/status-error.ts";
import { isJsonObject, type JsonObject, member } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";

export interface RefusedAnswer {
  readonly code: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

const maxMessage = 1024;
const maxRetryAfterSeconds = 300;

/**
 * The error that an answer stands for. Only a Status has a reason: a page that some gateway puts in the server's place says
 * nothing about objects, and is not repeated to anybody.
 */
export function statusErrorOf({ code, retryAfter, text }: RefusedAnswer): StatusError {
  const status = statusIn(text);
  const seconds = retrySeconds(retryAfter) ?? retrySeconds(member(detailsIn(status), "retryAfterSeconds"));
  if (status === undefined) {
    const message = `the server answered with code ${code} and no reason`;
    return new StatusError(
      code,
      reasonsOfCodes[code] ?? "",
      message,
      seconds === undefined ? undefined : { retryAfterSeconds: seconds },
    );
  }
  return errorOfStatus(status, { code, seconds });
}

interface Envelope {
  readonly code: number;
  readonly seconds: number | undefined;
}

function errorOfStatus(status: JsonObject, { code, seconds }: Envelope): StatusError {
  const reason = member(status, "reason");
  const message = member(status, "message");
  const details: StatusDetails = {
    ...(detailsIn(status) as StatusDetails), // as a server sends them; nothing of ours depends on their shape
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  };
  return new StatusError(
    code,
    (typeof reason === "string" ? reason : "") as StatusReason, // a word that we do not know equals none of ours
    typeof message === "string" ? printable(message) : `the server answered with code ${code}`,
    details,
  );
}

/** What a gateway's answer means without a Status: only that it is worth a try later. */
const reasonsOfCodes: Readonly<Record<number, StatusReason>> = {
  401: "Unauthorized",
  429: "TooManyRequests",
  503: "ServiceUnavailable",
  504: "Timeout",
};

function statusIn(text: string): JsonObject | undefined {
  try {
    const { value } = parseJson(text);
    return isJsonObject(value) && member(value, "kind") === "Status" ? value : undefined;
  } catch {
    return undefined;
  }
}

function detailsIn(status: JsonObject | undefined): JsonObject {
  const details = status === undefined ? undefined : member(status, "details");
  return isJsonObject(details) ? details : {};
}

function retrySeconds(value: unknown): number | undefined {
  const seconds = typeof value === "string" && /^[0-9]{1,9}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== "number" || !(seconds > 0)) return undefined;
  return Math.min(Math.ceil(seconds), maxRetryAfterSeconds);
}

/** Members' words end up in conditions and events: short, and without what moves a terminal's cursor. */
function printable(text: string): string {
  return text.slice(0, maxMessage).replaceAll(/[\p{Cc}\p{Cf}]/gu, " ");
}
