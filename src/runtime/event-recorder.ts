import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { type Clock, formatMicroTime, formatTime } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import { nameSuffix, type Random } from "#base/random.ts";
import type { Client } from "#client/client.ts";

export interface EventText {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  /** Past tense, naming the value; none when nothing happened. */
  readonly message: string;
}

/** Tells users what was done to an object. Never fails and never waits: an event is a courtesy. */
export interface EventRecorder {
  record(object: Pick<ApiObject, "apiVersion" | "kind" | "metadata">, text: EventText): void;
}

export interface EventRecorderNeeds {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly component: string;
}

const events: ResourceId = { group: "", version: "v1", resource: "events", kind: "Event", namespaced: true };
/** The same event again within this time counts up instead of standing twice. */
const repeatMs = 600_000;
/**
 * How many events may be written in a burst and per second: a change of thousands of objects must not drown in news about it, and what went
 * wrong not in what went well.
 */
const allowances = {
  Normal: { burst: 100, perSecond: 5 },
  Warning: { burst: 100, perSecond: 20 },
} as const satisfies Readonly<Record<EventText["type"], Allowance>>;
const remembered = 4_096;

interface Written {
  readonly name: string;
  readonly namespace: string;
  readonly atMs: number;
  readonly count: number;
}

/** Writes Kubernetes Events: repeats are counted, floods are cut. */
export function createEventRecorder(needs: EventRecorderNeeds): EventRecorder {
  const known = new Map<string, Written>();
  const budgets = {
    Normal: new Budget(needs.clock, allowances.Normal),
    Warning: new Budget(needs.clock, allowances.Warning),
  };
  return {
    record(object, text) {
      const key = [object.kind, object.metadata.uid, text.type, text.reason, text.message].join("\n");
      if (!budgets[text.type].spend()) return;
      const before = known.get(key);
      const nowMs = needs.clock.nowMs();
      const repeat = before !== undefined && nowMs - before.atMs < repeatMs ? before : undefined;
      const written =
        repeat === undefined ? fresh(needs, object, nowMs) : { ...repeat, atMs: nowMs, count: repeat.count + 1 };
      known.delete(key);
      known.set(key, written);
      for (const oldest of known.keys()) {
        if (known.size <= remembered) break;
        known.delete(oldest);
      }
      const done = repeat === undefined ? create(needs, object, { text, written }) : countUp(needs, written);
      done.catch((error: unknown) => needs.log.debug("cannot write event", { reason: text.reason, error }));
    },
  };
}

function fresh({ random }: EventRecorderNeeds, { metadata }: Pick<ApiObject, "metadata">, nowMs: number): Written {
  const name = `${metadata.name.slice(0, 220)}.${nameSuffix(random)}${nameSuffix(random)}`;
  return { name, namespace: metadata.namespace ?? "default", atMs: nowMs, count: 1 };
}

interface Creation {
  readonly text: EventText;
  readonly written: Written;
}

async function create(
  { client, component }: EventRecorderNeeds,
  object: Pick<ApiObject, "apiVersion" | "kind" | "metadata">,
  { text, written }: Creation,
): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const time = formatTime(written.atMs);
  await client.create(events, {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: written.name, namespace: written.namespace },
    involvedObject: {
      apiVersion,
      kind,
      name: metadata.name,
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    },
    ...text,
    message: text.message.slice(0, 1024),
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    eventTime: formatMicroTime(written.atMs),
    action: text.reason,
    source: { component },
    reportingComponent: component,
    reportingInstance: component,
  });
}

async function countUp({ client }: EventRecorderNeeds, { name, namespace, atMs, count }: Written): Promise<void> {
  await client.patch(events, { namespace, name }, { type: "merge", patch: { count, lastTimestamp: formatTime(atMs) } });
}

interface Allowance {
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket on the handed-in clock. */
class Budget {
  readonly #clock: Clock;
  readonly #allowance: Allowance;
  #tokens: number;
  #atMs: number;

  constructor(clock: Clock, allowance: Allowance) {
    this.#clock = clock;
    this.#allowance = allowance;
    this.#tokens = allowance.burst;
    this.#atMs = clock.nowMs();
  }

  spend(): boolean {
    const { burst, perSecond } = this.#allowance;
    const nowMs = this.#clock.nowMs();
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#atMs) / 1_000) * perSecond);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
