import { cpuUsage, memoryUsage, resourceUsage } from "node:process";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { RunningFleet } from "#app/control-plane.ts";
import { jsonEquals } from "#base/json.ts";
import type { Client } from "#client/client.ts";
import type { BenchRow } from "./bench-row.ts";
import { reopenElsewhere } from "./elsewhere.ts";
import { clustersReady, inParallel, settled, totalRevision, until } from "./fleet-state.ts";
import { medianRow } from "./median-row.ts";
import { clientOf, inScratchFolder, openFleet } from "./open-fleet.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", namespaced: true };
const namespaceResource = { group: "", version: "v1", resource: "namespaces", kind: "Namespace", namespaced: false };
const policies = {
  group: "policy.karmada.io",
  version: "v1alpha1",
  resource: "propagationpolicies",
  kind: "PropagationPolicy",
  namespaced: true,
};

/** How large the fleet is in which little changes. */
const namespaceCount = Number(process.env["FLOTILLA_BENCH_NAMESPACES"] ?? 100);
const policiesEach = 10;
const templatesEach = 100;
const small = 10;
const members = ["m1"];

/** A control plane full of templates and policies, in which one policy changes: what that costs, and what a restart does. */
export function scaleBenchmarks(): Promise<readonly BenchRow[]> {
  return inScratchFolder(async (directory) => {
    await using fleet = await openFleet({ members, directory });
    await until(() => clustersReady(fleet, 1));
    const total = totalOf(namespaceCount);
    const size = `${total.toLocaleString("en")} templates, ${(namespaceCount * policiesEach + 1).toLocaleString("en")} policies`;
    const arrived = countArrivals(fleet);
    const filled = performance.now();
    const cpu = cpuUsage();
    await fill(clientOf(fleet), namespaceCount);
    await until(() => arrived() === total, 3_600_000);
    const seconds = (performance.now() - filled) / 1_000;
    const rows: BenchRow[] = [
      {
        name: `${size}: filled`,
        value: seconds,
        unit: "s",
        note: `${Math.round(total / seconds)} a second, ${cpuSecondsSince(cpu).toFixed(1)} CPU s, ${memory()}`,
      },
    ];
    await settled(fleet);
    rows.push(...(await measureChanges(fleet, size)));
    const before = totalRevision(fleet);
    const started = performance.now();
    await fleet[Symbol.asyncDispose]();
    const stopSeconds = (performance.now() - started) / 1_000;
    const { readySeconds, readyCpuSeconds, membersSeconds, revision, idleCpuPercent, peakMegabytes } = reopenElsewhere({
      directory,
      members,
    });
    const writes = revision - before;
    const cost = `${readyCpuSeconds.toFixed(1)} CPU s, the simulated member after ${membersSeconds.toFixed(1)} s, RSS at most ${peakMegabytes} MB`;
    rows.push({
      name: `${size}: restart until ready`,
      value: readySeconds,
      unit: "s",
      note: `${writes} writes, stopped in ${stopSeconds.toFixed(1)} s, ${cost}; then idle: ${idleCpuPercent.toFixed(2)} % of a core`,
      figures: { writes },
    });
    return rows;
  });
}

/** In so many rounds what takes milliseconds: a collection of garbage that falls into one of them takes longer than it. */
const rounds = 5;

async function measureChanges(fleet: RunningFleet, size: string): Promise<readonly BenchRow[]> {
  const about = /(^|[/.])few-/;
  const edit = { name: `${size}: one policy edit that concerns ${small} templates`, about, bound: small };
  const exclude = { name: `${size}: one exclude edit that concerns ${small} templates`, about, bound: small };
  const edits: BenchRow[] = [];
  const excludes: BenchRow[] = [];
  for (let round = 0; round < rounds; round++)
    edits.push(await measure(fleet, { ...edit, change: (client) => editPolicy(client, round % 2 === 0) }));
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await exceptFew(clientOf(fleet), null);
    excludes.push(await measure(fleet, { ...exclude, change: (client) => exceptFew(client, excludingFew) }));
  }
  const name = `${size}: one preemption of 1,000 templates`;
  const preempted = await measure(fleet, { name, change: preempt, about: /\/n0\/|\/karmada-es-m1\//, bound: 1_000 });
  return [medianRow(edits), medianRow(excludes), preempted];
}

/** All that controllers write but events and reports on clusters. */
const watched = [
  "/services/",
  "/configmaps/",
  "/namespaces/",
  "policy.karmada.io/propagationpolicies/",
  "work.karmada.io/resourcebindings/",
  "work.karmada.io/works/",
];

/** A change, and how its effects are told from others. */
export interface Measured {
  readonly name: string;
  readonly change: (client: Client, fleet: RunningFleet) => Promise<unknown>;
  /** Keys of what the change is about. */
  readonly about: RegExp;
  readonly bound: number;
  /** Keys of what is only reported on: writes there are effects, too. */
  readonly reports?: RegExp;
}

/** A write that is more than a report: of another generation, or with other labels. */
function isEffect({ metadata: now }: ApiObject, before: ApiObject | undefined): boolean {
  return now.generation !== before?.metadata.generation || !jsonEquals(now.labels, before?.metadata.labels);
}

/** From the request to the last write that it caused, reports not counted as such. */
export async function measure(
  fleet: RunningFleet,
  { name, change, about, bound, reports }: Measured,
): Promise<BenchRow> {
  const { store } = fleet.controlPlane.server.core;
  await settled(fleet);
  const kinds = new Map<string, number>();
  let last = 0;
  let beyond = 0;
  const watches = watched.map((prefix) =>
    store.watch({
      prefix,
      after: store.revision,
      deliver({ key, value, previous }) {
        if (isEffect(value, previous) || reports?.test(key)) last = performance.now();
        const kind = key.split("/")[1] ?? key;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        if (!about.test(key) && kind !== policies.resource) beyond++;
      },
    }),
  );
  const cpu = cpuUsage();
  const started = performance.now();
  await change(clientOf(fleet), fleet);
  await settled(fleet);
  const cpuMs = cpuSecondsSince(cpu) * 1_000;
  for (const watch of watches) if (watch.ok) watch.stop();
  const counts = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ");
  return {
    name,
    value: last - started,
    unit: "ms",
    note: `writes: ${counts}; ${beyond} beyond the ${bound}; ${memory()}`,
    figures: { "CPU ms": cpuMs, "writes beyond": beyond },
  };
}

/** How many templates so many namespaces come to. */
export function totalOf(namespaces: number): number {
  return namespaces * policiesEach * templatesEach + small;
}

/** Fills namespaces with templates and policies that mean a tenth of each namespace, and one policy with few templates of its own. */
export async function fill(client: Client, namespaces: number): Promise<void> {
  await inParallel(namespaces, async (index) => {
    const namespace = `n${index}`;
    await client.create(namespaceResource, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    for (let group = 0; group < policiesEach; group++)
      await putPolicy(client, { namespace, name: `p${group}`, spec: { resourceSelectors: [selecting(`g${group}`)] } });
  });
  await putPolicy(client, { namespace: "n0", name: "few", spec: { resourceSelectors: [selecting("few")] } });
  await inParallel(namespaces * policiesEach * templatesEach, async (index) => {
    const group = index % policiesEach;
    await putTemplate(client, { namespace: `n${index % namespaces}`, name: `t-${index}`, group: `g${group}` });
  });
  await inParallel(small, (index) => putTemplate(client, { namespace: "n0", name: `few-${index}`, group: "few" }));
}

/** Creates a ConfigMap that a policy of its group may mean. */
async function putTemplate(client: Client, { namespace, name, group }: Record<"namespace" | "name" | "group", string>) {
  const data = { "application.properties": "color=blue\nsize=large\n".repeat(20) };
  await client.create(configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace, labels: { group } },
    data,
  });
}

/** A selector of the ConfigMaps of a group. */
export function selecting(group: string) {
  return { apiVersion: "v1", kind: "ConfigMap", labelSelector: { matchLabels: { group } } };
}

export interface PolicyPut {
  readonly namespace: string;
  readonly name: string;
  readonly spec: object;
}

/** Makes or changes a policy that places on the one member. */
export function putPolicy(client: Client, { namespace, name, spec }: PolicyPut): Promise<ApiObject> {
  const patch = {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name, namespace },
    spec: { placement: { clusterAffinity: { clusterNames: ["m1"] } }, ...spec },
  };
  return client.patch(policies, { namespace, name }, { type: "apply", patch, force: true });
}

/** A policy edit that concerns few templates, whatever else there is. */
export function editPolicy(client: Client, propagateDeps = true): Promise<unknown> {
  return client.patch(
    policies,
    { namespace: "n0", name: "few" },
    { type: "merge", patch: { spec: { propagateDeps } } },
  );
}

const excludingFew = [{ apiVersion: "v1", kind: "ConfigMap", namespace: "n0" }];

/** What the policy with few templates excludes; null: nothing. */
const exceptFew = (client: Client, excludeResourceSelectors: readonly object[] | null) =>
  client.patch(
    policies,
    { namespace: "n0", name: "few" },
    { type: "merge", patch: { spec: { excludeResourceSelectors } } },
  );

const preempt = (client: Client) =>
  putPolicy(client, {
    namespace: "n0",
    name: "all",
    spec: {
      priority: 5,
      preemption: "Always",
      resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap" }],
      excludeResourceSelectors: [
        { apiVersion: "v1", kind: "ConfigMap", name: "kube-root-ca.crt", namespace: "n0" },
        ...Array.from({ length: small }, (_, index) => ({
          apiVersion: "v1",
          kind: "ConfigMap",
          name: `few-${index}`,
          namespace: "n0",
        })),
      ],
    },
  });

/** Counts the templates that have arrived in the member and whose works say so, as it happens: a look at all of them is not for free. */
export function countArrivals({ members, controlPlane }: RunningFleet): () => number {
  const applied = countChanges(controlPlane.server.core.store, "work.karmada.io/works/", isAppliedCopy);
  const there = countChanges(
    members[0]!.server.core.store,
    "/configmaps/",
    ({ metadata }) => metadata.labels?.["karmada.io/managed"] === "true",
  );
  return () => Math.min(applied(), there());
}

/** How many objects are so now, of those that changed since. */
function countChanges(
  store: RunningFleet["controlPlane"]["server"]["core"]["store"],
  prefix: string,
  isSo: (object: ApiObject) => boolean,
): () => number {
  let count = 0;
  const countOf = (object: ApiObject | undefined) => (object !== undefined && isSo(object) ? 1 : 0);
  store.watch({
    prefix,
    after: store.revision,
    deliver: ({ value, previous }) => {
      count += countOf(value) - countOf(previous);
    },
  });
  return () => count;
}

function isAppliedCopy(work: ApiObject): boolean {
  const { status, spec } = work as Fields;
  const isApplied = ({ type, status }: Fields) => type === "Applied" && status === "True";
  return spec.workload?.manifests?.[0]?.kind === "ConfigMap" && status?.conditions?.some(isApplied) === true;
}

/** Of the whole process: control plane, member, and what drives them. */
function memory(): string {
  return `RSS ${Math.round(memoryUsage.rss() / 2 ** 20)} MB, at most ${Math.round(resourceUsage().maxRSS / 2 ** 10)}`;
}

function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = cpuUsage(before);
  return (user + system) / 1e6;
}
