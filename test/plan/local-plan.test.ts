import { expect, test } from "vitest";
import type { Cluster } from "#api/cluster/cluster.ts";
import { gatesWith } from "#api/feature-gates.ts";
import type { PlanReport } from "#api/plan/plan-report.ts";
import type { WantedEdit } from "#api/plan/plan-resources.ts";
import type { EmbeddedCluster } from "#app/embedded-cluster.ts";
import { type LocalPlanner, openLocalPlanner } from "#app/local-planner.ts";
import { systemClock, systemRandom } from "#app/system.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import { createClient } from "#client/client.ts";
import { createHttpTransport } from "#client/http-transport.ts";
import { reportOf } from "#plan/report.ts";
import { Dice } from "#test/world/dice.ts";
import { World } from "#test/world/world.ts";
import { members, namespaces, type RandomEdit, randomEdit, randomFleet } from "./random-edits.ts";

const edits = 12;
const gates = gatesWith({ PropagationPolicyPreemption: true });
const request = { fieldManager: "user", serverSide: true, namespace: "default" };

/** A plan that is made by whoever only reads is the plan that the running system makes; so is what it says of one template. */
test.each([
  ["members that can be asked", 1, true],
  ["members that can be asked, and other edits", 2, true],
  ["members that are known by their works alone", 3, false],
  ["members that are known by their works alone, and other edits", 4, false],
] as const)(
  "%s",
  async (_, seed, asks) => {
    const dice = new Dice(seed);
    await using world = await World.start({ seed, members, pipeline: { gates } });
    for (const each of namespaces) await world.apply(`apiVersion: v1\nkind: Namespace\nmetadata: { name: ${each} }\n`);
    for (const { yaml } of randomFleet(dice)) await world.apply(yaml);
    await world.settle();
    for (let made = 0; made < edits; made++) {
      const edit = randomEdit(dice, gates);
      const [there, here] = await bothPlans(world, edit, asks);
      expect(here, `seed ${seed}, edit ${made}: ${edit.yaml}`).toEqual(there);
      await make(world, edit);
    }
    await expectSameReasons(world);
  },
  300_000,
);

async function bothPlans(world: World, { yaml, deletes }: RandomEdit, asks: boolean) {
  const manifest = parseYamlDocuments(yaml)[0]!.value as unknown as WantedEdit["manifest"]; // one manifest each
  const asked = { ...request, edits: [{ do: deletes ? ("delete" as const) : ("apply" as const), manifest }] };
  const user = { name: "user", groups: ["system:masters"] };
  const there = await world.fleet.planner.plan({ ...asked, user }).then(reportOf, String);
  await using planner = await look(world, asks);
  const here = await planner.plan(asked).catch(String);
  return [comparable(there, asks), comparable(here, asks)];
}

/** What works do not say: which fields the member's server filled in, and what else the member has. */
function comparable(plan: PlanReport | string, asks: boolean) {
  if (typeof plan === "string" || asks) return plan;
  return plan.templates
    .filter(({ name }) => name !== "kube-root-ca.crt")
    .map((each) => ({ ...each, objects: each.objects.map(({ fields: _, ...object }) => object) }));
}

async function look(world: World, asks: boolean): Promise<LocalPlanner> {
  const transport = transportTo(world.fleet.controlPlane);
  const planner = await openLocalPlanner({
    client: createClient({ transport, user: { name: "", groups: [] }, manager: "test" }),
    transport,
    gates,
    reach: async ({ metadata }: Cluster) => {
      const member = world.fleet.members.find(({ name }) => name === metadata.name);
      if (asks && member !== undefined) return transportTo(member);
      throw new Error("there is no way");
    },
    note: (text) => expect(text).toMatch(asks ? /^never$/ : /there is no way/),
    clock: systemClock,
    random: systemRandom,
  });
  const close = () => planner[Symbol.asyncDispose]().then(() => transport.close());
  return { ...planner, [Symbol.asyncDispose]: close };
}

function transportTo({ url, pki }: EmbeddedCluster) {
  return createHttpTransport({
    server: new URL(url),
    identity: { ca: pki.ca.certificate, clientCertificate: pki.admin },
    addresses: { allowLoopback: true },
    clock: systemClock,
  });
}

async function make(world: World, { yaml, deletes }: RandomEdit): Promise<void> {
  const { apiVersion, kind, metadata } = parseYamlDocuments(yaml)[0]!.value as unknown as WantedEdit["manifest"]; // as above
  const { plural } = world.fleet.controlPlane.server.core.registry.ofKind(apiVersion, kind)!;
  const path = [plural, ...(metadata.namespace === undefined ? [] : [metadata.namespace]), metadata.name].join("/");
  if (!deletes)
    await world.apply(yaml).catch(() => {}); // both plans said so
  else if (kind !== "Cluster" && world.get(path) !== undefined) await world.delete(path);
  await world.settle();
}

async function expectSameReasons(world: World): Promise<void> {
  await using planner = await look(world, true);
  for (const { metadata } of world.list("deployments")) {
    const what = { kind: "deploy", namespace: metadata.namespace, name: metadata.name };
    expect(planner.explain(what)).toEqual(world.fleet.planner.explain(what));
  }
}
