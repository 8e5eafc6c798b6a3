import { resourceOf } from "#api/kind.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { workEvents } from "#api/work/event-reasons.ts";
import { type Work, Works } from "#api/work/work.ts";
import type { Client } from "#client/client.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import { decideWorkStatus, dispatchingNews, type WorkStatusFacts } from "./decide-work-status.ts";
import { healthOf } from "./interpret-manifest.ts";
import type { ReadManifest } from "./read-manifests.ts";

export interface ReportFacts {
  readonly work: Work;
  readonly manifests: readonly ReadManifest[];
  readonly isReady: boolean;
  /** Why the last attempt failed, where that is worth a word. */
  readonly error: string | undefined;
  readonly now: string;
}

const works = resourceOf(Works);

/** The status that a work should have; undefined when it has it. */
export function reportOf({ work, manifests, isReady, error, now }: ReportFacts) {
  const placed = isReady && manifests.every(({ observed }) => observed !== undefined);
  return decideWorkStatus({
    work,
    manifests: manifests.map(({ manifest, observed, status, health }, ordinal) => ({
      manifest,
      observed,
      status: status.ok ? status.value : reportedBefore(work, ordinal),
      health: observed === undefined ? "Unknown" : healthOf(health),
    })),
    outcome: outcomeOf({ work, placed, error }),
    now,
  });
}

/** Writes the status of a work; an event tells when its dispatching stops or goes on. */
export async function putWorkStatus(
  { client, events }: { readonly client: Client; readonly events: EventRecorder },
  work: Work,
  status: NonNullable<Work["status"]>,
): Promise<void> {
  try {
    await client.updateStatus(works, { ...work, status } as unknown as ApiObject); // a Work
  } catch (error: unknown) {
    if (!(error instanceof StatusError && error.reason === "NotFound")) throw error;
    return; // it went in the meantime
  }
  const message = dispatchingNews(work.status, status);
  if (message !== undefined) events.record(work, { type: "Normal", reason: workEvents.dispatching, message });
}

interface Attempt {
  readonly work: Work;
  readonly placed: boolean;
  readonly error: string | undefined;
}

function outcomeOf({ work, placed, error }: Attempt): WorkStatusFacts["outcome"] {
  if (error !== undefined) return { applied: false, error };
  return placed && work.spec.suspendDispatching !== true ? { applied: true } : "pending";
}

/** Where a rule fails, what was reported before stays. */
function reportedBefore({ status }: Work, ordinal: number): Fields | undefined {
  const item = status?.manifestStatuses?.find(({ identifier }) => identifier.ordinal === ordinal);
  return item?.status as Fields | undefined; // plain JSON
}
