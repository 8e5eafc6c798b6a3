import type { ApiObject } from "#api/meta/object-meta.ts";

/** When an event was last written, as far as it says itself. */
export function lastWrittenMs(event: ApiObject): number {
  const { firstTimestamp, lastTimestamp, eventTime, series } = event as Stamps; // a core/v1 Event
  const stamps = [event.metadata.creationTimestamp, firstTimestamp, lastTimestamp, eventTime, series?.lastObservedTime];
  return Math.max(0, ...stamps.map((stamp) => Date.parse(stamp ?? "")).filter((ms) => !Number.isNaN(ms)));
}

interface Stamps {
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly series?: { readonly lastObservedTime?: string | null } | null;
}
