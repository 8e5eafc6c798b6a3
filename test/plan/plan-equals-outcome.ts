import { Clusters } from "#api/cluster/cluster.ts";
import { gatesWith } from "#api/feature-gates.ts";
import { resourceOf } from "#api/kind.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { WantedEdit } from "#api/plan/plan-resources.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import { createClient } from "#client/client.ts";
import { Dice } from "#test/world/dice.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { type LaunchNeeds, World } from "#test/world/world.ts";
import { disagreements, stateOf } from "./predicted-state.ts";
import { members, namespaces, type RandomEdit, randomEdit, randomFleet } from "./random-edits.ts";

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
    const together = Array.from({ length: dice.happens(0.15) ? 3 : 1 }, () => randomEdit(dice, gates));
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
  const gone = members.filter((name) => world.get(`clusters/${name}`) === undefined);
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
  await client.create(resourceOf(Clusters), {
    apiVersion: "cluster.karmada.io/v1alpha1",
    kind: "Cluster",
    metadata: { name },
    spec: { syncMode: "Push", apiEndpoint: url, id },
  });
}

/** Plans some edits together, makes one after the other, and compares. */
async function tryTogether(world: World, together: readonly RandomEdit[]): Promise<readonly string[]> {
  const before = stateOf(world);
  const wanted = together.filter(({ deletes, yaml }) => !deletes || world.get(pathOf(world, yaml)) !== undefined);
  const { revision } = world;
  const plan = await planOf(world, wanted).catch((error: unknown) => String(error));
  if (world.revision !== revision) return ["the plan wrote something"];
  let refused: string | undefined;
  for (const edit of wanted) {
    refused ??= await make(world, edit).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    await settle(world);
  }
  if (typeof plan !== "string" && refused === undefined) return disagreements(plan, before, stateOf(world));
  return plan === refused ? [] : [`planned: ${typeof plan === "string" ? plan : "a change"}`, `made: ${refused}`];
}

function planOf(world: World, wanted: readonly RandomEdit[]) {
  const asked = wanted.map(({ deletes, yaml }) => ({
    do: deletes ? ("delete" as const) : ("apply" as const),
    manifest: manifestOf(yaml) as unknown as WantedEdit["manifest"], // a whole one
  }));
  return world.fleet.planner.plan({
    edits: asked,
    user: { name: "user", groups: ["system:masters"] },
    fieldManager: "user",
    serverSide: true,
    namespace: "default",
  });
}

/** What is tolerated for a time has come to its end after this, and what waits for a replacement; a plan looks as far ahead. */
const patience = { toleratedSeconds: 65, gracefulSeconds: 700 };

/** A namespace is emptied five seconds after it was deleted, and then it is quiet no more. */
async function settle(world: World): Promise<void> {
  await world.settle();
  const isDriving = ({ effect }: Fields) => String(effect) === "NoExecute";
  if (world.list("clusters").some(({ spec }) => spec.taints?.some(isDriving))) await wait(patience.toleratedSeconds);
  const bindings = () => [...world.list("resourcebindings"), ...world.list("clusterresourcebindings")];
  if (bindings().some(({ spec }) => spec.gracefulEvictionTasks !== undefined)) await wait(patience.gracefulSeconds);
  async function wait(seconds: number) {
    await world.timePasses(seconds);
    await world.settle();
  }
  const isLeaving = ({ metadata }: Fields) => metadata.deletionTimestamp !== undefined;
  while (
    [
      ...world.list("namespaces"),
      ...world.fleet.members.flatMap(({ name }) => world.member(name).list("namespaces")),
    ].some(isLeaving)
  ) {
    await world.timePasses(5);
    await world.settle();
  }
}

async function make(world: World, { yaml, deletes }: RandomEdit): Promise<void> {
  if (!deletes) return world.apply(yaml);
  const path = pathOf(world, yaml);
  if (world.get(path) === undefined) throw notFound(world, yaml);
  await world.delete(path);
}

/** What a client is told that deletes something a second time. */
function notFound(world: World, yaml: string): StatusError {
  const { metadata, ...manifest } = manifestOf(yaml);
  const { group, plural } = typeOf(world, manifest);
  return StatusError.notFound({ group, resource: plural, name: metadata.name });
}

function pathOf(world: World, yaml: string): string {
  const { metadata, ...manifest } = manifestOf(yaml);
  const { plural } = typeOf(world, manifest);
  return `${plural}/${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name}`;
}

function manifestOf(yaml: string): Fields {
  return parseYamlDocuments(yaml)[0]!.value as unknown as Fields; // one manifest each
}

function typeOf(world: World, { apiVersion, kind }: Fields) {
  return world.fleet.controlPlane.server.core.registry.ofKind(apiVersion, kind)!;
}
