import { StatusError } from "#api/meta/status-error.ts";
import { goQuote } from "#base/go-text.ts";

/** A resourceVersion as a client sends it: undefined when absent or empty, 0 for "any"; throws for anything but digits. */
export function parseRevision(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (!/^[0-9]{1,15}$/.test(text)) {
    throw StatusError.badRequest(`invalid resource version: ${notARevision(text)}`);
  }
  return Number(text);
}

/** A read of one object that must not be older than a revision; nobody waits here for one that has not been. */
export function expectRevisionReached(current: number, text: string | undefined): void {
  if (text === undefined || text === "") return;
  if (!/^[0-9]{1,15}$/.test(text)) throw new StatusError(500, "", notARevision(text));
  if (Number(text) > current) throw futureRevision(Number(text), current);
}

/** 504 for a revision that has not been yet. */
export function futureRevision(revision: number, current: number): StatusError {
  return new StatusError(504, "Timeout", `Timeout: Too large resource version: ${revision}, current: ${current}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

function notARevision(text: string): string {
  return `resourceVersion: Invalid value: ${goQuote(text)}: strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax`;
}
