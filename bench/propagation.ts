import { cpuUsage, memoryUsage, resourceUsage } from "node:process";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { RunningFleet } from "#app/control-plane.ts";
import type { Client } from "#client/client.ts";
import type { BenchRow } from "./bench-row.ts";
import type { BenchFlags } from "./flags.ts";
import { clustersReady, inParallel, settled, totalRevision, until } from "./fleet-state.ts";
import { clientOf, inScratchFolder, memberNames, openFleet } from "./open-fleet.ts";
import { Profiles } from "./profiler.ts";

const deployments = { group: "apps", version: "v1", resource: "deployments", kind: "Deployment", namespaced: true };
const policies = {
  group: "policy.karmada.io",
  version: "v1alpha1",
  resource: "propagationpolicies",
  kind: "PropagationPolicy",
  namespaced: true,
};
const namespace = "shop";
/** Of all namespaces: there are Deployments in no other, and to count those of one their keys have to be in order. */
const templatePrefix = "apps/deployments/";

/** Many templates in few members, and few in many: the last two have as many copies. */
const usual: readonly Size[] = [
  { templates: 1_000, members: 3 },
  { templates: 1_000, members: 10 },
  { templates: 100, members: 100 },
];

/** A whole fleet on disk: claim all templates by one new policy, update all, flip the placement, restart. */
export async function propagationBenchmarks({ profile }: BenchFlags): Promise<readonly BenchRow[]> {
  const profiles = new Profiles(profile);
  const rows: BenchRow[] = [];
  for (const size of usual) rows.push(...(await measureFleet(size, profiles)));
  return rows;
}

interface Placed extends Size {
  readonly directory: string;
  readonly profiles: Profiles;
}

interface Size {
  readonly templates: number;
  readonly members: number;
}

function measureFleet(size: Size, profiles: Profiles): Promise<readonly BenchRow[]> {
  return inScratchFolder((directory) => measureIn({ directory, profiles, ...size }));
}

async function measureIn({ directory, profiles, templates, members }: Placed): Promise<readonly BenchRow[]> {
  const names = memberNames(members);
  const open = () => openFleet({ members: names, directory });
  let fleet = await open();
  const rows: BenchRow[] = [];
  try {
    await until(() => clustersReady(fleet, members));
    const bench = new Stage(() => fleet, { templates, members, profiles });
    await createNamespace(clientOf(fleet));
    await createTemplates(clientOf(fleet), templates);
    rows.push(
      await bench.run(
        "claim all by one new policy",
        () => putPolicy(clientOf(fleet), names),
        () => healthyEverywhere(fleet, templates, members),
      ),
    );
    rows.push(
      await bench.run(
        "update all",
        () => updateTemplates(clientOf(fleet), templates),
        () => healthyEverywhere(fleet, templates, members, "nginx:2"),
      ),
    );
    rows.push(
      await bench.run(
        "flip the placement to one member",
        () => putPolicy(clientOf(fleet), names.slice(0, 1)),
        () => healthyEverywhere(fleet, templates, 1) && goneElsewhere(fleet),
      ),
    );
    await settled(fleet);
    const before = totalRevision(fleet);
    const started = performance.now();
    await fleet[Symbol.asyncDispose]();
    fleet = await open();
    await until(() => clustersReady(fleet, members));
    const readyMs = performance.now() - started;
    await settled(fleet);
    rows.push({
      name: `${label({ templates, members })}: restart until ready`,
      value: readyMs / 1_000,
      unit: "s",
      note: `${totalRevision(fleet) - before} writes`,
    });
    await profiles.heap(label({ templates, members }));
    return rows;
  } finally {
    await fleet[Symbol.asyncDispose]();
  }
}

function label({ templates, members }: Size): string {
  return `${templates.toLocaleString("en")} Deployments, ${members} members`;
}

/** Measures one change from the first request to the last effect. */
class Stage {
  readonly #fleet: () => RunningFleet;
  readonly #size: Size;
  readonly #profiles: Profiles;

  constructor(fleet: () => RunningFleet, { profiles, ...size }: Omit<Placed, "directory">) {
    this.#fleet = fleet;
    this.#size = size;
    this.#profiles = profiles;
  }

  async run(name: string, change: () => Promise<void>, isDone: () => boolean): Promise<BenchRow> {
    await settled(this.#fleet());
    const { templates } = this.#size;
    const writes = this.#fleet().controlPlane.server.core.store.revision;
    const cpu = cpuUsage();
    const started = performance.now();
    await this.#profiles.during(`${label(this.#size)} ${name}`, async () => {
      await change();
      await until(isDone, 120_000 + templates * 100);
    });
    const seconds = (performance.now() - started) / 1_000;
    const used = cpuUsage(cpu);
    await settled(this.#fleet());
    const perTemplate = (this.#fleet().controlPlane.server.core.store.revision - writes) / templates;
    const note = `${Math.round(templates / seconds)} a second, ${((used.user + used.system) / 1e6).toFixed(1)} CPU s, ${perTemplate.toFixed(1)} control-plane writes each, RSS ${Math.round(memoryUsage.rss() / 2 ** 20)} MB, at most ${Math.round(resourceUsage().maxRSS / 2 ** 10)}`;
    console.error(`${label(this.#size)}: ${name}: ${seconds.toFixed(1)} s, ${note}`); // whatever becomes of the rest
    return { name: `${label(this.#size)}: ${name}`, value: seconds, unit: "s", note };
  }
}

/** Makes the namespace in which everything happens. */
export async function createNamespace(client: Client): Promise<void> {
  await client.create(
    { group: "", version: "v1", resource: "namespaces", kind: "Namespace", namespaced: false },
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
  );
}

/** Makes so many Deployments, 32 at once. */
export async function createTemplates(client: Client, count: number): Promise<void> {
  await inParallel(count, async (index) => {
    const name = `web-${index}`;
    const labels = { app: name };
    const spec = {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1" }] } },
    };
    await client.create(deployments, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, namespace, labels },
      spec,
    });
  });
}

async function updateTemplates(client: Client, count: number): Promise<void> {
  await inParallel(count, async (index) => {
    const patch = { spec: { template: { spec: { containers: [{ name: "web", image: "nginx:2" }] } } } };
    await client.patch(deployments, { namespace, name: `web-${index}` }, { type: "strategic", patch });
  });
}

/** One policy for all Deployments. */
export async function putPolicy(client: Client, clusterNames: readonly string[]): Promise<void> {
  const patch = {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name: "all", namespace },
    spec: {
      resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment" }],
      placement: { clusterAffinity: { clusterNames } },
    },
  };
  await client.patch(policies, { namespace, name: "all" }, { type: "apply", patch, force: true });
}

function objectsIn(fleet: RunningFleet, member: number): readonly ApiObject[] {
  const result = fleet.members[member]?.server.core.store.list({ prefix: templatePrefix });
  return result?.ok ? result.entries.map(({ value }) => value) : [];
}

/** Whether the first members all run every Deployment, and every template says so. */
export function healthyEverywhere(fleet: RunningFleet, templates: number, members: number, image?: string): boolean {
  const first = fleet.members.slice(0, members); // counted before anything is looked at: nearly every look ends here
  if (first.some(({ server }) => server.core.store.count(templatePrefix) !== templates)) return false;
  const result = fleet.controlPlane.server.core.store.list({ prefix: templatePrefix });
  if (!result.ok) return false;
  for (let member = 0; member < members; member++) {
    const objects = objectsIn(fleet, member) as readonly Fields[];
    if (image !== undefined && !objects.every((each) => each["spec"].template.spec.containers[0].image === image))
      return false;
  }
  return result.entries.every(({ value }) => (value as Fields)["status"]?.availableReplicas === 2 * members);
}

function goneElsewhere(fleet: RunningFleet): boolean {
  return fleet.members.every((_, index) => index === 0 || objectsIn(fleet, index).length === 0);
}
