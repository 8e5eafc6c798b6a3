import { Clusters } from "#api/cluster/cluster.ts";
import { gatesWith } from "#api/feature-gates.ts";
import { resourceOf } from "#api/kind.ts";
import { createClient } from "#client/client.ts";
import { Dice } from "#test/world/dice.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { type LaunchNeeds, World } from "#test/world/world.ts";
import { members, namespaces, randomEdit, randomFleet } from "./random-edits.ts";
import { make, settle, tryTogether } from "./try-edits.ts";

const alone = process.env["FLOTILLA_SEED"];
const seeds = Number(process.env["FLOTILLA_SEEDS"] ?? 50);
const first = Number(process.env["FLOTILLA_FIRST_SEED"] ?? 1);
const edits = 40;
const lanes = 4;

/** One lane of fleets: what was wrong, with the seeds that show it. The lanes together plan and make 2,000 edits. */
export async function livedThrough(lane: number): Promise<string> {
  const all = alone === undefined ? Array.from({ length: seeds }, (_, index) => first + index) : [Number(alone)];
  const wrong: string[] = [];
  for (const seed of all.filter((each) => alone !== undefined || each % lanes === lane)) {
    const found = await planAndApply(seed);
    if (found.length > 0) wrong.push(`FLOTILLA_SEED=${seed} npx vitest run test/plan/equality-${lane}`, ...found);
    if (wrong.length >= 6) break;
  }
  return wrong.join("\n");
}

/** Makes a random fleet, and as many random edits: each is planned, made, and compared. What was wrong, with the edits. */
async function planAndApply(seed: number): Promise<readonly string[]> {
  const dice = new Dice(seed);
  const gates = gatesWith({
    PropagationPolicyPreemption: true,
    StaticPolicy: dice.happens(0.2),
    Failover: dice.happens(0.4),
  });
  let fleet: RoughFleet | undefined;
  const launch = async (needs: LaunchNeeds) => {
    fleet = await RoughFleet.launch(needs);
    return fleet;
  };
  await using world = await World.start({ seed, members, pipeline: { gates }, launch });
  for (const each of namespaces) await world.apply(`apiVersion: v1\nkind: Namespace\nmetadata: { name: ${each} }\n`);
  for (const each of randomFleet(dice)) await make(world, each);
  await settle(world);
  const wrong: string[] = [];
  for (let made = 0; made < edits && wrong.length < 2; ) {
    const together = Array.from({ length: dice.happens(0.25) ? 3 : 1 }, () => randomEdit(dice, gates));
    made += together.length;
    const found = await tryTogether(world, together);
    const what = together.map(({ deletes, yaml }) => `${deletes ? "delete" : "apply"}${yaml}`);
    const down = [...fleet!.down].map((name) => `, ${name} is down`).join("");
    if (found.length > 0) wrong.push([`after ${made} edits${down}: ${what.join("")}`, ...found].join("\n"));
    await rejoin(world);
    if (gates.Failover && dice.happens(0.1)) await comeOrGo(world, fleet!, dice);
  }
  return wrong;
}

/** A member fails, until everything that leaves it has left; or all are well again. */
async function comeOrGo(world: World, { down }: RoughFleet, dice: Dice): Promise<void> {
  if (down.size > 0) down.clear();
  else down.add(dice.of(members));
  await world.timePasses(60); // until it counts as failed, or as well
  await settle(world);
}

async function rejoin(world: World): Promise<void> {
  const isJoined = (name: string) => world.get(`clusters/${name}`)?.["spec"].apiEndpoint !== undefined;
  const gone = members.filter((name) => !isJoined(name));
  if (gone.length === 0) return;
  for (const name of gone) await join(world, name);
  await world.timePasses(15); // until it has been asked how it is
  await settle(world);
}

/** Joins a member, as somebody else than those who edit it. */
async function join(world: World, name: string): Promise<void> {
  const { url } = world.fleet.members.find((each) => each.name === name)!;
  const id = world.member(name).get("namespaces/kube-system")?.["metadata"].uid;
  const transport = world.fleet.controlPlane.server;
  const client = createClient({ transport, user: { name: "joiner", groups: ["system:masters"] }, manager: "join" });
  const spec = { syncMode: "Push", apiEndpoint: url, id };
  const resource = resourceOf(Clusters);
  if (world.get(`clusters/${name}`) !== undefined)
    await client.patch(resource, { name }, { type: "merge", patch: { spec } });
  else
    await client.create(resource, {
      apiVersion: "cluster.karmada.io/v1alpha1",
      kind: "Cluster",
      metadata: { name },
      spec,
    });
}
