import type { Fields } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { WantedEdit } from "#api/plan/plan-resources.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import type { World } from "#test/world/world.ts";
import { disagreements, stateOf } from "./predicted-state.ts";
import type { RandomEdit } from "./random-edits.ts";

/** Plans some edits together, makes one after the other, and compares. */
export async function tryTogether(world: World, together: readonly RandomEdit[]): Promise<readonly string[]> {
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

/** How often members are asked how much room they have, and a bit. */
const askedSeconds = 11;

/** Everything has come to rest, and members have said how much room they have since. */
export async function settle(world: World): Promise<void> {
  for (let before = -1; before !== world.revision; ) {
    await comeToRest(world);
    before = world.revision;
    await world.timePasses(askedSeconds);
    await world.settle();
  }
}

/** A namespace is emptied five seconds after it was deleted, and then it is quiet no more. */
async function comeToRest(world: World): Promise<void> {
  await world.settle();
  const isDriving = ({ effect }: Fields) => String(effect) === "NoExecute";
  if (world.list("clusters").some(({ spec }) => spec.taints?.some(isDriving))) await wait(patience.toleratedSeconds);
  const bindings = () => [...world.list("resourcebindings"), ...world.list("clusterresourcebindings")];
  if (bindings().some(({ spec }) => spec.gracefulEvictionTasks !== undefined)) await wait(patience.gracefulSeconds);
  async function wait(seconds: number) {
    await world.timePasses(seconds);
    await world.settle();
  }
  for (let tries = 0; tries < maxTries && isEmptying(world); tries++) await wait(5);
}

/** What is not empty by then stays: nobody answers for the cluster whose it is. */
const maxTries = 20;

function isEmptying(world: World): boolean {
  const inMembers = world.fleet.members.flatMap(({ name }) => world.member(name).list("namespaces"));
  return [...world.list("namespaces"), ...inMembers].some(({ metadata }) => metadata.deletionTimestamp !== undefined);
}

export async function make(world: World, { yaml, deletes }: RandomEdit): Promise<void> {
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
