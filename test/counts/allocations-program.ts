// Prints what every action allocates in a fleet with so many bystanders: `node FLAGS allocations-program.js 3`, as count-allocations.ts does.
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics } from "node:v8";
import { SettledParts } from "#apiserver/write/settled-parts.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { settle } from "#test/world/virtual-clock.ts";
import { World } from "#test/world/world.ts";
import { actions, gates, restart } from "./actions.ts";
import { addBystanders } from "./bystanders.ts";

/** Members are summed up by the clock, pod by pod: whichever action is under way by then would pay for it. */
const clusterStatusPeriodMs = 24 * 3_600_000;

let collections = 0;
new PerformanceObserver((list) => {
  collections += list.getEntries().length;
}).observe({ entryTypes: ["gc"] });

console.log(JSON.stringify(await allocations(Number(process.argv[2]))));

async function allocations(bystanders: number): Promise<Readonly<Record<string, number>>> {
  await using world = await World.start({
    pipeline: { gates, clusterStatusPeriodMs },
    launch: (needs) => RoughFleet.launch(needs, {}, { freezes: false, settled: new SettledParts() }),
  });
  await addBystanders(world, bystanders);
  const { [restart]: last, ...others } = actions; // caches index all that they hold when they are first asked, in whatever follows a restart
  const all: Record<string, number> = {};
  for (const [name, action] of Object.entries({ ...others, [restart]: last! }))
    all[name] = await allocatedBy(async () => {
      await action(world);
      await world.settle();
    });
  return all;
}

/** Bytes. The young generation only grows as long as nobody collects. */
async function allocatedBy(act: () => Promise<void>): Promise<number> {
  const collectionsBefore = await collect();
  const before = youngBytes();
  await act();
  const allocated = youngBytes() - before;
  if ((await collectionsSoFar()) !== collectionsBefore)
    throw new Error("cannot count what was allocated: garbage was collected meanwhile");
  return allocated;
}

/** Empties the young generation, so that the next action has all of it. */
async function collect(): Promise<number> {
  globalThis.gc!();
  return collectionsSoFar();
}

/** Node.js tells of a collection a few turns later. */
async function collectionsSoFar(): Promise<number> {
  for (let turn = 0; turn < 5; turn++) await settle();
  return collections;
}

function youngBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => space_name.startsWith("new_"))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}
