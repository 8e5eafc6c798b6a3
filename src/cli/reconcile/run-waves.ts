import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, type ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { releasedClusters } from "#api/work/released-clusters.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { reconcileRequestAnnotation, releasedClustersAnnotation } from "#api/work/template-keys.ts";
import { formatMicroTime } from "#base/clock.ts";
import { humanDuration } from "#base/human-duration.ts";
import { arrivalOf, stagesAsked } from "./arrival-of.ts";
import { type Arrival, decideWave, type Journey, type WaveLimit, waveSize } from "./decide-wave.ts";
import { type WatchNeeds, WaveWatch } from "./wave-watch.ts";

/** A template that something is to be done about. */
export interface Picked {
  /** How people name it: `Deployment shop/web`. */
  readonly name: string;
  readonly resource: ResourceId;
  readonly template: ApiObject;
  readonly binding: Binding;
}

export interface WavesNeeds extends WatchNeeds {
  /** Clusters in the order of their turn; all others come last, together. */
  readonly order: readonly string[];
  readonly limit: WaveLimit;
  /** How long a wave may take. */
  readonly timeoutMs: number;
  /** How long nothing may happen before what looks well is believed. */
  readonly quietMs: number;
  readonly signal: AbortSignal;
  readonly tell: (journeys: readonly Journey[]) => void;
}

/** What became of a run. */
export interface WavesOutcome {
  readonly journeys: readonly Journey[];
  readonly ended: "finished" | "failed" | "interrupted";
}

interface Traveller extends Picked, Journey {}

/** Asks for one wave after the other until all is there, something fails, or somebody stops it. */
export async function runWaves(picked: readonly Picked[], needs: WavesNeeds): Promise<WavesOutcome> {
  const { order, signal, tell } = needs;
  const size = waveSize(needs.limit, picked.length);
  const travellers = new Map(picked.map((each) => [each.name, begun(each, order)]));
  const ended = (why: WavesOutcome["ended"]) => ({ journeys: [...travellers.values()], ended: why });
  for (;;) {
    tell([...travellers.values()]);
    if (signal.aborted) return ended("interrupted");
    const step = decideWave({ journeys: [...travellers.values()], stages: order.length + 1, size });
    if (step.do === "finish") return ended("finished");
    if (step.do === "stop") return ended("failed");
    const concerned = step.names.map((name) => travellers.get(name)!);
    const update = (next: Traveller) => {
      travellers.set(next.name, next);
    };
    if (step.do === "ask") await Promise.all(concerned.map(async (each) => update(await ask(each, step.stage, needs))));
    else await arriving(concerned, needs, (next) => update(next));
  }
}

const underWay: Arrival = { is: "under way", waitsFor: "news" };

function begun(picked: Picked, order: readonly string[]): Traveller {
  const asked = stagesAsked(picked.template, picked.binding, order);
  return { ...picked, stagesAsked: asked, arrival: underWay };
}

/** One write on the template: the first asks that what is pending take effect, those after it let it out on one more cluster. */
async function ask(traveller: Traveller, stage: number, { client, clock, order }: WavesNeeds): Promise<Traveller> {
  const { resource, template } = traveller;
  const isFirst = traveller.stagesAsked === 0;
  const before = isFirst ? [] : (releasedClusters(template.metadata) ?? []);
  const cluster = order[stage];
  const annotations = {
    ...(isFirst && { [reconcileRequestAnnotation]: formatMicroTime(clock.nowMs()) }),
    [releasedClustersAnnotation]: cluster === undefined ? null : [...new Set([...before, cluster])].join(","),
  };
  try {
    const next = await client.patch(resource, keyOf(template), { type: "merge", patch: { metadata: { annotations } } });
    return { ...traveller, template: next, stagesAsked: stage + 1, arrival: underWay };
  } catch (error: unknown) {
    if (!(error instanceof StatusError)) throw error;
    return { ...traveller, stagesAsked: stage + 1, arrival: { is: "failed", why: error.message } };
  }
}

/** Waits until all of them are there, one has failed, the time is over, or somebody stops it. */
async function arriving(
  travellers: readonly Traveller[],
  { clock, signal, timeoutMs, quietMs, tell, ...needs }: WavesNeeds,
  update: (next: Traveller) => void,
): Promise<void> {
  using watch = new WaveWatch(
    { clock, client: needs.client },
    travellers.map(({ binding }) => binding),
  );
  const end = wakeAt(clock, timeoutMs, signal);
  await Promise.race([watch.whenSynced(), end.reached]);
  let isQuiet = false;
  for (;;) {
    const news = watch.changed();
    const now = travellers
      .map((each) => ({ ...each, arrival: arrivalOf({ ...each, ...watch.stateOf(each.binding) }) }))
      .map((each) => (isQuiet ? givenUp(each) : each))
      .map((each) => (end.isOver() ? overdue(each, timeoutMs) : each));
    for (const each of now) update(each);
    const isSettled = now.every(({ arrival }) => arrival.is === "there");
    const hasFailed = now.some(({ arrival }) => arrival.is === "failed");
    if (hasFailed || end.isOver() || signal.aborted || (isSettled && isQuiet)) return end.cancel();
    if (!isSettled) tell(now);
    const mayEnd = isSettled || now.some(({ arrival }) => arrival.is === "under way" && arrival.stuck !== undefined);
    const pause = mayEnd ? wakeAt(clock, quietMs, signal) : end;
    isQuiet = await Promise.race([
      news.then(() => false),
      end.reached.then(() => false),
      pause.reached.then(() => mayEnd),
    ]);
    if (pause !== end) pause.cancel();
  }
}

/** What is stuck and stays so has failed. */
function givenUp(traveller: Traveller): Traveller {
  const { arrival } = traveller;
  if (arrival.is !== "under way" || arrival.stuck === undefined) return traveller;
  return { ...traveller, arrival: { is: "failed", why: arrival.stuck } };
}

function overdue(traveller: Traveller, timeoutMs: number): Traveller {
  const { arrival } = traveller;
  if (arrival.is !== "under way") return traveller;
  const why = `not there after ${humanDuration(timeoutMs)}: waits for ${arrival.waitsFor}`;
  return { ...traveller, arrival: { is: "failed", why } };
}

/** A moment that comes when the time is over, or when somebody stops everything. */
function wakeAt(clock: WavesNeeds["clock"], delayMs: number, signal: AbortSignal) {
  let over = false;
  let cancel = () => {};
  const reached = new Promise<void>((resolve) => {
    const stop = clock.after(delayMs, () => {
      over = true;
      resolve();
    });
    const wake = () => resolve();
    signal.addEventListener("abort", wake, { once: true });
    if (signal.aborted) resolve();
    cancel = () => {
      stop();
      signal.removeEventListener("abort", wake);
    };
  });
  return { reached, isOver: () => over, cancel };
}
