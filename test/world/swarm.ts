import { gatesWith } from "#api/feature-gates.ts";
import { Dice } from "./dice.ts";
import { brokenInvariants } from "./fleet-invariants.ts";
import { RoughFleet, type Sabotage } from "./rough-fleet.ts";
import { type Mishap, refusal, type Weather } from "./rough-road.ts";
import { attempt, lot, members, operations, type Stage, unpinAll } from "./swarm-operations.ts";
import { oraclesFor } from "./swarm-oracles.ts";
import { World } from "./world.ts";

export interface SwarmOptions {
  readonly sabotage?: Sabotage;
  /** Operations that are to come more often than others. */
  readonly often?: readonly string[];
}

/** Lets random users and faults loose on a fleet; what is wrong, with the story before it. */
export async function live(seed: number, { sabotage = {}, often = [] }: SwarmOptions = {}): Promise<readonly string[]> {
  const dice = new Dice(seed);
  const pipeline = { gates: gatesWith({ PropagationPolicyPreemption: true }) };
  const launch = (needs: Parameters<typeof RoughFleet.launch>[0]) => RoughFleet.launch(needs, sabotage);
  await using world = await World.start({ seed, members, pipeline, launch });
  const fleet = world.fleet as RoughFleet; // as launched
  const stage: Stage = { world, fleet, dice, left: new Set(), notes: new Map() };
  const wrong = new Set<string>();
  const story: string[] = [];
  await world.apply("apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n");
  const rate = dice.of([0, 0.02, 0.1, 0.3]);
  const weather = weatherOf(dice, rate);
  const oracle = oraclesFor(world, { newsMs: rate === 0 ? 30_000 : 120_000 });
  fleet.weather = (call) => {
    const complaint = oracle(call);
    if (complaint !== undefined) wrong.add(complaint);
    return weather(call);
  };
  for (const operation of ["policy", "deploy"]) await operations[operation]!(stage);
  for (let left = 5 + dice.below(12); left > 0; left--) {
    const operation = dice.of([...lot, ...often]);
    story.push(operation);
    await attempt(operations[operation]!, stage);
    await world.clock.advance(dice.of([0, 1, 50, 700, 5_000, 45_000]));
  }
  fleet.weather = () => undefined;
  fleet.down.clear();
  await unpinAll(world);
  await world.rest();
  const bugs = [...fleet.bugs].map((what) => `S11: ${what}`);
  const found = [...wrong, ...brokenInvariants(world, stage.left), ...lostNotes(stage), ...bugs];
  return found.length === 0 ? [] : [`${story.join(", ")}`, ...found];
}

/** S7: what users wrote on a binding is there as long as the binding is. */
function lostNotes({ world, notes }: Stage): readonly string[] {
  return [...notes].flatMap(([name, { uid, note }]) => {
    const metadata = world.get(`resourcebindings/shop/${name}`)?.["metadata"];
    const lost = metadata?.uid === uid && metadata?.annotations?.["example.com/note"] !== note;
    return lost ? [`S7: what was written on ${name} is lost`] : [];
  });
}

/** Which faults a seed has, and how often: a swarm of different weathers finds more than one average. */
function weatherOf(dice: Dice, rate: number): Weather {
  const mishaps: readonly (() => Mishap)[] = dice.some<() => Mishap>([
    () => ({ kind: "refused", error: refusal(dice.of([409, 429, 500, 503])) }),
    () => ({ kind: "answer lost", error: new Error("the connection was reset") }),
    () => (dice.happens(0.2) ? { kind: "crash before" } : { kind: "refused", error: refusal(500) }),
    () => (dice.happens(0.2) ? { kind: "crash after" } : { kind: "refused", error: refusal(409) }),
  ]);
  return ({ isWrite }) => (dice.happens(isWrite ? rate : rate / 5) ? dice.of(mishaps)() : undefined);
}
