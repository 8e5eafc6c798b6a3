import { gatesWith } from "#api/feature-gates.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { Dice } from "./dice.ts";
import { brokenInvariants } from "./fleet-invariants.ts";
import { RoughFleet } from "./rough-fleet.ts";
import { type Mishap, type RoadCall, refusal, type Weather } from "./rough-road.ts";
import { attempt, lot, members, operations, type Stage } from "./swarm-operations.ts";
import { World } from "./world.ts";

/** Lets random users and faults loose on a fleet; what is wrong at the end, with the story before it. */
export async function live(seed: number): Promise<readonly string[]> {
  const dice = new Dice(seed);
  const pipeline = { gates: gatesWith({ PropagationPolicyPreemption: true }) };
  await using world = await World.start({ seed, members, pipeline, launch: (needs) => RoughFleet.launch(needs) });
  const fleet = world.fleet as RoughFleet; // as launched
  const stage: Stage = { world, fleet, dice, left: new Set() };
  const wrong = new Set<string>();
  const story: string[] = [];
  await world.apply("apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n");
  watchWrites(stage, weatherOf(dice), (what) => wrong.add(what));
  for (const operation of ["policy", "deploy"]) await operations[operation]!(stage);
  for (let left = 5 + dice.below(12); left > 0; left--) {
    const operation = dice.of(lot);
    story.push(operation);
    await attempt(operations[operation]!, stage);
    await world.clock.advance(dice.of([0, 1, 50, 700, 5_000, 45_000]));
  }
  fleet.weather = () => undefined;
  fleet.down.clear();
  await world.rest();
  const found = [...wrong, ...brokenInvariants(world, stage.left)];
  return found.length === 0 ? [] : [`${story.join(", ")}`, ...found];
}

/** Which faults a seed has, and how often: a swarm of different weathers finds more than one average. */
function weatherOf(dice: Dice): Weather {
  const rate = dice.of([0, 0.02, 0.1, 0.3]);
  const mishaps: readonly (() => Mishap)[] = dice.some<() => Mishap>([
    () => ({ kind: "refused", error: refusal(dice.of([409, 429, 500, 503])) }),
    () => ({ kind: "answer lost", error: new Error("the connection was reset") }),
    () => (dice.happens(0.2) ? { kind: "crash before" } : { kind: "refused", error: refusal(500) }),
    () => (dice.happens(0.2) ? { kind: "crash after" } : { kind: "refused", error: refusal(409) }),
  ]);
  return ({ isWrite }) => (dice.happens(isWrite ? rate : rate / 5) ? dice.of(mishaps)() : undefined);
}

/** How long news may be on their way to a controller that meets mishaps. */
const newsMs = 120_000;

/** S1: a copy is deleted only after its work is leaving or gone. S4: a work that is suspended sends nothing. */
function watchWrites({ world, fleet }: Stage, weather: Weather, complain: (what: string) => void): void {
  const suspended = new Map<string, { readonly uid: string; readonly sinceMs: number }>();
  fleet.weather = (call) => {
    if (call.cluster === "flotilla" && call.isWrite) noteSuspensions(world, suspended);
    const work = call.cluster === "flotilla" ? undefined : workOf(world, call);
    if (work !== undefined) {
      const { name } = call.call.path;
      const since = suspended.get(work["metadata"].uid)?.sinceMs ?? Number.POSITIVE_INFINITY;
      if (call.call.verb === "delete") {
        if (work["metadata"].deletionTimestamp === undefined)
          complain(`S1: ${name} is deleted in ${call.cluster} while its work stays`);
      } else if (work["metadata"].deletionTimestamp === undefined && world.clock.nowMs() - since > newsMs)
        complain(`S4: ${name} is sent to ${call.cluster} while its work is suspended`);
    }
    return weather(call);
  };
}

function noteSuspensions(world: World, suspended: Map<string, { uid: string; sinceMs: number }>): void {
  for (const { metadata, spec } of world.list("works")) {
    if (spec.suspendDispatching !== true) suspended.delete(metadata.uid);
    else if (!suspended.has(metadata.uid))
      suspended.set(metadata.uid, { uid: metadata.uid, sinceMs: world.clock.nowMs() });
  }
}

/** The work by which a Deployment is written in a member. */
function workOf(world: World, { cluster, call: { path, body }, isWrite }: RoadCall): Fields | undefined {
  if (!isWrite || path.resource !== "deployments") return undefined;
  const name = path.name ?? (body as Fields | undefined)?.["metadata"]?.name;
  return world
    .list("works")
    .filter(({ metadata }) => metadata.namespace === `karmada-es-${cluster}`)
    .find(({ spec }) =>
      spec.workload.manifests.some((each: Fields) => each["kind"] === "Deployment" && each["metadata"].name === name),
    );
}
