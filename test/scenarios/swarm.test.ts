import { describe, expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { brokenInvariants } from "#test/world/fleet-invariants.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { type Mishap, refusal, type Weather } from "#test/world/rough-road.ts";
import { deployment, divided, policy, registryOverride, to } from "#test/world/shop-manifests.ts";
import { seededRandom, World } from "#test/world/world.ts";

const members = ["m1", "m2", "m3"];
const names = ["web", "api", "job"];
const cordon = "cluster.karmada.io/unschedulable";

/** Seeded choices. */
class Dice {
  readonly #random: { fraction(): number };

  constructor(seed: number) {
    this.#random = seededRandom(seed * 7_919 + 13);
  }

  below(count: number): number {
    return Math.floor(this.#random.fraction() * count);
  }

  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }

  some<T>(all: readonly T[]): readonly T[] {
    const chosen = all.filter(() => this.#random.fraction() < 0.5);
    return chosen.length === 0 ? [this.of(all)] : chosen;
  }

  happens(rate: number): boolean {
    return this.#random.fraction() < rate;
  }
}

interface Stage {
  readonly world: World;
  readonly fleet: RoughFleet;
  readonly dice: Dice;
}

const placements = (dice: Dice) => dice.of([to(...dice.some(members)), divided, "{}", to(...dice.some(members))]);

const operations: Readonly<Record<string, (stage: Stage) => Promise<void> | void>> = {
  deploy: ({ world, dice }) => world.apply(deployment(dice.of(names), 1 + dice.below(6), `nginx:${dice.below(9)}`)),
  async scale({ world, dice }) {
    const path = `deployments/shop/${dice.of(names)}`;
    if (world.get(path) !== undefined) await world.patch(path, { spec: { replicas: dice.below(7) } });
  },
  remove: ({ world, dice }) => remove(world, `deployments/shop/${dice.of(names)}`),
  policy: ({ world, dice }) =>
    world.apply(
      policy(dice.of(["p1", "p2"]), placements(dice), dice.happens(0.5) ? { selector: `name: ${dice.of(names)}` } : {}),
    ),
  removePolicy: ({ world, dice }) => remove(world, `propagationpolicies/shop/${dice.of(["p1", "p2"])}`),
  override: ({ world, dice }) =>
    world.apply(
      registryOverride(dice.of(["o1", "o2"]), {
        of: dice.of(names),
        cluster: dice.of(members),
        registry: dice.of(["a.example.com", "b.example.com"]),
      }),
    ),
  removeOverride: ({ world, dice }) => remove(world, `overridepolicies/shop/${dice.of(["o1", "o2"])}`),
  cordon: ({ world, dice }) =>
    world.patch(`clusters/${dice.of(members)}`, { spec: { taints: [{ key: cordon, effect: "NoSchedule" }] } }),
  uncordon: ({ world, dice }) => world.patch(`clusters/${dice.of(members)}`, { spec: { taints: null } }),
  memberDown({ fleet, dice }) {
    const member = dice.of(members);
    fleet.down.add(member);
    fleet.cut(member);
  },
  memberUp: ({ fleet }) => fleet.down.clear(),
  restart: ({ fleet }) => fleet.restartControllers(),
  async breakStreams({ fleet, dice }) {
    const cluster = dice.of([fleet.controlPlane, ...fleet.members]);
    fleet.cut(cluster.name);
    const { store } = cluster.server.core;
    if (dice.happens(0.5)) await store.compact(store.revision);
  },
  async drift({ world, dice }) {
    const member = world.member(dice.of(members));
    const path = `deployments/shop/${dice.of(names)}`;
    if (member.get(path) === undefined) return;
    if (dice.happens(0.5)) await member.patch(path, { spec: { replicas: 7 } });
    else await member.delete(path);
  },
};

async function remove(world: World, path: string): Promise<void> {
  if (world.get(path) !== undefined) await world.delete(path);
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

/** S1: a copy is deleted only after its work is leaving or gone. */
function watchDeletions({ world, fleet }: Stage, weather: Weather, complain: (what: string) => void): void {
  fleet.weather = (call) => {
    const { verb, path } = call.call;
    if (verb === "delete" && call.cluster !== "flotilla" && path.resource === "deployments") {
      const works = world.list("works").filter(({ metadata }) => metadata.namespace === `karmada-es-${call.cluster}`);
      const alive = works.find(
        ({ metadata, spec }) =>
          metadata.deletionTimestamp === undefined &&
          spec.workload.manifests.some(
            (each: Fields) => each["kind"] === "Deployment" && each["metadata"].name === path.name,
          ),
      );
      if (alive !== undefined) complain(`S1: ${path.name} is deleted in ${call.cluster} while its work stays`);
    }
    return weather(call);
  };
}

async function live(seed: number): Promise<readonly string[]> {
  const dice = new Dice(seed);
  await using world = await World.start({ seed, members, launch: (needs) => RoughFleet.launch(needs) });
  const fleet = world.fleet as RoughFleet; // as launched
  const stage = { world, fleet, dice };
  const wrong: string[] = [];
  const story: string[] = [];
  await world.apply("apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n");
  watchDeletions(stage, weatherOf(dice), (what) => wrong.push(what));
  await operations["policy"]!(stage);
  for (let left = 4 + dice.below(10); left > 0; left--) {
    const operation = dice.of(Object.keys(operations));
    story.push(operation);
    await operations[operation]!(stage);
    await world.clock.advance(dice.of([0, 1, 50, 700, 5_000, 45_000]));
  }
  fleet.weather = () => undefined;
  fleet.down.clear();
  await world.rest();
  const found = [...wrong, ...brokenInvariants(world)];
  return found.length === 0 ? [] : [`${story.join(", ")}`, ...found];
}

const alone = process.env["FLOTILLA_SEED"];
const count = Number(process.env["FLOTILLA_SEEDS"] ?? 150);
const lanes = 3;

describe("anything that users do, whatever goes wrong", () => {
  test.each(Array.from({ length: lanes }, (_, lane) => lane))(
    "lane %i: at rest everything is as it should be",
    {
      timeout: 60_000 + count * 2_000,
    },
    async (lane) => {
      const failures: string[] = [];
      const seeds = alone === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(alone)];
      for (const seed of seeds.filter((each) => each % lanes === lane)) {
        const wrong = await live(seed).catch((error: unknown) => [String(error)]);
        if (wrong.length > 0)
          failures.push(`FLOTILLA_SEED=${seed} npx vitest run test/scenarios/swarm.test.ts\n${wrong.join("\n")}`);
        if (failures.length >= 5) break;
      }
      expect(failures.join("\n\n")).toBe("");
    },
  );
});
