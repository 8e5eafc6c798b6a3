import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Core } from "#apiserver/core.ts";
import { goQuote } from "#base/go-text.ts";

/** A resourceVersion as a client sends it: undefined when absent or empty, 0 for "any"; throws for anything but digits. */
export function parseRevision(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (!isRevision(text)) throw StatusError.badRequest(`invalid resource version: ${notARevision(text)}`);
  return Number(text);
}

/** The same of a watch. */
export function parseWatchRevision(text: string | undefined): number | undefined {
  if (text !== undefined && text !== "" && !isRevision(text)) throw new StatusError(500, "", notARevision(text));
  return parseRevision(text);
}

function isRevision(text: string): boolean {
  return /^[0-9]{1,15}$/.test(text);
}

/** A read of one object that must not be older than a revision; nobody waits here for one that has not been. */
export function expectRevisionReached({ store }: Core, type: ResourceType, text: string | undefined): void {
  if (text === undefined || text === "") return;
  if (!isRevision(text) && type.plural === "events") parseRevision(text); // of which no cache is kept
  if (!isRevision(text)) throw new StatusError(500, "", notARevision(text));
  if (Number(text) > store.revision) throw futureRevision(type, { revision: Number(text), current: store.revision });
}

interface Revisions {
  readonly revision: number;
  /** The newest. */
  readonly current: number;
}

/** 504 for a revision that has not been yet; Kubernetes keeps no cache of events that could be waited for. */
export function futureRevision({ plural }: ResourceType, { revision, current }: Revisions): StatusError {
  return new StatusError(504, "Timeout", `Timeout: Too large resource version: ${revision}, current: ${current}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    ...(plural === "events" ? {} : { retryAfterSeconds: 1 }),
  });
}

function notARevision(text: string): string {
  return `resourceVersion: Invalid value: ${goQuote(text)}: strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax`;
}
