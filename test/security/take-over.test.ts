import { describe, expect, test } from "vitest";
import { type FeatureGates, gatesWith } from "#api/feature-gates.ts";
import { resourceOf } from "#api/kind.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { PropagationPolicies } from "#api/policy/propagation-policy.ts";
import { Works } from "#api/work/work.ts";
import { systemUser } from "#app/start-cluster.ts";
import { type Client, createClient } from "#client/client.ts";
import { deployments, eventually, register, startRemoteMember } from "#test/members/remote-member.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { deployment, policy } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

const web = "deployments/shop/web";
const conflict = "work.karmada.io/conflict-resolution";
const owner = "work.karmada.io/control-plane";
const marksOfAnother = {
  labels: { "karmada.io/managed": "true" },
  annotations: { [owner]: "6ba7b810-9dad-11d1-80b4-00c04fd430c8" },
};

/** A member that has a Deployment before anybody sends one of that name. */
async function startWith(marks: object, gates: Partial<FeatureGates> = {}) {
  const world = await World.start({
    members: ["m1"],
    pipeline: { gates: gatesWith(gates) },
    launch: (needs) => RoughFleet.launch(needs),
  });
  const member = world.member("m1");
  await member.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
  await member.create({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "shop", name: "web", ...marks },
    spec: {
      replicas: 9,
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "own", image: "own:1" }] } },
    },
  });
  await world.settle();
  return { world, member };
}

const replicasIn = (member: ReturnType<World["member"]>) => member.get(web)?.["spec"].replicas;
const appliedOf = (world: World) =>
  world
    .list("works")
    .find(({ metadata }) => metadata.name.startsWith("web-"))
    ?.["status"].conditions.find(({ type }: Fields) => type === "Applied");

describe("SEC-05: a template that says itself that it takes over what a member has", () => {
  const off = { TemplateConflictResolution: false };
  const cases: Readonly<
    Record<string, { gates?: Partial<FeatureGates>; template: string; of: string; takes: boolean }>
  > = {
    "does so by default, as in Karmada": { template: "overwrite", of: "Abort", takes: true },
    "does not where its policy alone may say so": { gates: off, template: "overwrite", of: "Abort", takes: false },
    "does so there if its policy says so, too": { gates: off, template: "overwrite", of: "Overwrite", takes: true },
    "may always say the opposite": { gates: off, template: "abort", of: "Overwrite", takes: false },
  };
  for (const [does, { gates, template, of, takes }] of Object.entries(cases))
    test(does, async () => {
      const { world, member } = await startWith({ labels: { team: "own" } }, gates);
      await using _ = world;
      await world.apply(policy("all", "{}", { spec: `conflictResolution: ${of}` }));
      await world.apply(deployment("web"));
      await world.patch(web, { metadata: { annotations: { [conflict]: template } } });
      await world.rest();
      expect(replicasIn(member)).toBe(takes ? 3 : 9);
      expect(appliedOf(world)).toMatchObject({ status: takes ? "True" : "False" });
    });
});

describe("SEC-05: what another control plane keeps in a member", () => {
  test("is neither changed nor deleted, whatever policy and template say", async () => {
    const { world, member } = await startWith(marksOfAnother);
    await using _ = world;
    const before = member.get(web)?.["metadata"];
    await world.apply(policy("all", "{}", { spec: "conflictResolution: Overwrite" }));
    await world.apply(deployment("web"));
    await world.patch(web, { metadata: { annotations: { [conflict]: "overwrite", [owner]: "mine" } } });
    await world.rest();
    expect(appliedOf(world)).toMatchObject({
      status: "False",
      message: expect.stringContaining(marksOfAnother.annotations[owner]),
    });
    (world.fleet as RoughFleet).restartControllers(); // as launched
    await world.patch(web, { spec: { replicas: 5 } });
    await world.rest();
    await world.delete(web);
    await world.rest();
    const { uid, generation, labels, annotations } = member.get(web)?.["metadata"] ?? {};
    expect({ uid, generation }).toEqual({ uid: before.uid, generation: before.generation });
    expect({ labels, annotations }).toMatchObject(marksOfAnother);
    expect(world.list("works").filter(({ metadata }) => metadata.name.startsWith("web-"))).toEqual([]);
  });

  test("is taken over once somebody says there that the other is gone", async () => {
    const { world, member } = await startWith(marksOfAnother);
    await using _ = world;
    await world.apply(policy("all"));
    await world.apply(deployment("web"));
    await world.rest();
    expect(replicasIn(member)).toBe(9);
    await member.patch(web, { metadata: { annotations: { [owner]: null } } });
    await world.rest();
    expect(replicasIn(member)).toBe(3);
    expect(member.get(web)?.["metadata"].annotations[owner]).toBe(
      world.get("namespaces/kube-system")?.["metadata"].uid,
    );
  });

  test("is let go with our marks, and is everybody's then", async () => {
    const { world, member } = await startWith({ labels: { "karmada.io/managed": "true" } });
    await using _ = world;
    await world.apply(policy("all", "{}", { spec: "preserveResourcesOnDeletion: true" }));
    await world.apply(deployment("web"));
    await world.rest();
    expect(member.get(web)?.["metadata"].annotations[owner]).toBeDefined();
    await world.delete(web);
    await world.rest();
    expect(member.get(web)?.["metadata"].annotations[owner]).toBeUndefined();
  });
});

test("SEC-05: of two control planes that send an object of one name to a member the first has it", async () => {
  await using shared = await startRemoteMember("shared");
  await using first = await startTestFleet();
  await using second = await startTestFleet();
  const [here, there] = [new Tenant(first), new Tenant(second)];
  const copy = async () => ((await shared.client.get(deployments, key)) as Fields | undefined)?.["spec"].replicas;
  const secret = { token: shared.token, caBundle: shared.cluster.pki.ca.certificate };
  for (const { client } of [here, there])
    await register(client, { name: "shared", endpoint: shared.cluster.url, secret });
  await here.send(1);
  await eventually(copy, (replicas) => replicas === 1);
  await there.send(7);
  await eventually(
    () => there.refusal(),
    (message) => message?.includes("belongs to another control plane") === true,
  );
  await here.scale(2);
  await eventually(copy, (replicas) => replicas === 2);
  await there.client.delete(deployments, key);
  await eventually(
    () => there.refusal(),
    (message) => message === undefined,
  );
  expect(await copy()).toBe(2);
  await here.client.delete(deployments, key);
  await eventually(copy, (replicas) => replicas === undefined);
});

const key = { namespace: "default", name: "web" };

/** Somebody who has a Deployment in a control plane. */
class Tenant {
  readonly client: Client;

  constructor({ fleet }: TestFleet) {
    this.client = createClient({ transport: fleet.controlPlane.server, user: systemUser, manager: "user" });
  }

  async send(replicas: number): Promise<void> {
    await this.client.create(resourceOf(PropagationPolicies.namespaced), {
      apiVersion: "policy.karmada.io/v1alpha1",
      kind: "PropagationPolicy",
      metadata: { namespace: "default", name: "all" },
      spec: { resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment" }], conflictResolution: "Overwrite" },
    });
    const labels = { app: "web" };
    const spec = { containers: [{ name: "web", image: "nginx" }] };
    await this.client.create(deployments, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: key,
      spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    });
  }

  async scale(replicas: number): Promise<void> {
    await this.client.patch(deployments, key, { type: "merge", patch: { spec: { replicas } } });
  }

  /** Why the Deployment is not where it should be; undefined when there is none. */
  async refusal(): Promise<string | undefined> {
    const { items } = await this.client.list(resourceOf(Works), { namespace: "karmada-es-shared" });
    const work = items.find(({ metadata }) => metadata.name.startsWith("web-")) as Fields | undefined;
    return work && (work["status"]?.conditions.find(({ type }: Fields) => type === "Applied")?.message ?? "");
  }
}
