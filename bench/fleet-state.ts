import type { Fields } from "#api/meta/object-meta.ts";
import type { RunningFleet } from "#app/control-plane.ts";

/** Whether so many clusters are ready. */
export function clustersReady({ controlPlane }: RunningFleet, members: number): boolean {
  const result = controlPlane.server.core.store.list({ prefix: "cluster.karmada.io/clusters/" });
  const ready = (value: Fields) =>
    value["status"]?.conditions?.some(({ type, status }: Fields) => type === "Ready" && status === "True");
  return result.ok && result.entries.filter(({ value }) => ready(value as Fields)).length === members;
}

/** How many writes there have been, anywhere. */
export function totalRevision({ controlPlane, members }: RunningFleet): number {
  return [controlPlane, ...members].reduce((sum, { server }) => sum + server.core.store.revision, 0);
}

/** Half a second without any write. */
export async function settled(fleet: RunningFleet): Promise<void> {
  for (let last = -1, quiet = 0; quiet < 5; last = totalRevision(fleet)) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    quiet = totalRevision(fleet) === last ? quiet + 1 : 0;
  }
}

/** A look at thousands of objects takes a part of a millisecond. */
const lookMs = 10;
/** A look at very many takes longer, and must not take the time of those who are looked at. */
const lookShare = 1 / 20;

/** Looks now and then until it is so. */
export async function until(isDone: () => boolean, withinMs = 120_000): Promise<void> {
  const giveUp = performance.now() + withinMs;
  for (let looked = performance.now(); !isDone(); looked = performance.now()) {
    if (performance.now() > giveUp)
      throw new Error(`the benchmark's change did not arrive within ${Math.round(withinMs / 1_000)} s`);
    const restMs = Math.max(lookMs, (performance.now() - looked) / lookShare);
    await new Promise((resolve) => setTimeout(resolve, restMs));
  }
}

/** Does something many times, 32 at once. */
export async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}
