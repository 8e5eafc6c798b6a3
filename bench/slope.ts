import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Fields } from "#api/meta/object-meta.ts";
import type { RunningFleet } from "#app/control-plane.ts";
import { createClient } from "#client/client.ts";
import type { BenchRow } from "./bench-row.ts";
import type { BenchFlags } from "./flags.ts";
import { clustersReady, settled, until } from "./fleet-state.ts";
import { describeMachine } from "./machine.ts";
import { medianRow } from "./median-row.ts";
import { benchUser, clientOf, inScratchFolder, openFleet } from "./open-fleet.ts";
import { askPlan } from "./plan.ts";
import { Profiles } from "./profiler.ts";
import { countArrivals, editPolicy, fill, type Measured, measure, putPolicy, selecting, totalOf } from "./scale.ts";
import { renderPlot } from "./svg-plot.ts";

const rounds = 5;
const few = /(^|[/.])few-/;
const configMaps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", namespaced: true };
const services = { group: "", version: "v1", resource: "services", kind: "Service", namespaced: true };
const door = { namespace: "n0", name: "few-door" };

/** Changes that concern few templates, whatever else there is; every round asks for something else. */
const changes: readonly ((round: number) => Measured)[] = [
  (round) => ({
    name: "one template edited",
    change: (client) =>
      client.patch(
        configMaps,
        { namespace: "n0", name: "few-0" },
        { type: "merge", patch: { data: { round: `${round}` } } },
      ),
    about: few,
    bound: 1,
  }),
  (round) => ({
    name: "one policy edited, 10 templates",
    change: (client) => editPolicy(client, round % 2 === 0),
    about: few,
    bound: 10,
  }),
  (round) => ({
    name: "one status in a member, until the template shows it",
    change: (_, fleet) => reportAddress(fleet, `10.0.0.${round + 1}`),
    about: few,
    bound: 1,
    reports: /^\/services\//,
  }),
];
const planned = "a plan for 10 templates";

/** What small changes cost in fleets of growing size, as rows and as plots (time, and time of processors): flat is what they should be. */
export async function slopeBenchmarks({ sizes, plot, profile }: BenchFlags): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  const profiles = new Profiles(profile);
  for (const namespaces of sizes) {
    const total = totalOf(namespaces).toLocaleString("en");
    for (const row of await measureSize(namespaces, profiles)) {
      rows.push({ ...row, name: `${total} templates: ${row.name}` });
      console.error(`${total} templates: ${row.name}: ${row.value.toFixed(1)} ms`); // whatever becomes of the rest
    }
  }
  if (plot !== undefined) {
    writeFileSync(plot, draw(rows, { y: "ms until the last write", heightOf: ({ value }) => value }));
    const cpu = { y: "ms of CPU", heightOf: ({ figures }: BenchRow) => figures?.["CPU ms"] ?? 0 };
    writeFileSync(plot.replace(/\.svg$/, "-cpu.svg"), draw(rows, cpu));
  }
  return rows;
}

interface Drawn {
  readonly y: string;
  readonly heightOf: (row: BenchRow) => number;
}

function draw(rows: readonly BenchRow[], { y, heightOf }: Drawn): string {
  const lines = new Map<string, { readonly x: number; readonly y: number }[]>();
  for (const row of rows) {
    const [size = "", what = ""] = row.name.split(" templates: ");
    const line = lines.get(what) ?? [];
    lines.set(what, line);
    line.push({ x: Number(size.replaceAll(",", "")), y: heightOf(row) });
  }
  const title = "What a small change costs in a fleet of so many templates";
  return renderPlot({ title, note: describeMachine(), lines, x: "templates", y });
}

function measureSize(namespaces: number, profiles: Profiles): Promise<readonly BenchRow[]> {
  return inScratchFolder(async (directory) => {
    await using fleet = await openFleet({ members: ["m1"], directory });
    await until(() => clustersReady(fleet, 1));
    const arrived = countArrivals(fleet);
    await fill(clientOf(fleet), namespaces);
    await putDoor(fleet);
    await until(() => arrived() === totalOf(namespaces) && hasDoor(fleet), 3_600_000);
    await settled(fleet);
    const rows: BenchRow[] = [];
    for (const change of changes) {
      const { name } = change(0);
      const repeat = () => repeated((round) => measure(fleet, change(round)));
      rows.push(await profiles.during(`${namespaces} thousand templates ${name}`, repeat));
    }
    rows.push(await repeated(() => measurePlan(fleet)));
    await profiles.heap(`${namespaces} thousand templates`);
    return rows;
  });
}

/** The median round; the first, in which code is compiled, is left out. */
async function repeated(work: (round: number) => Promise<BenchRow>): Promise<BenchRow> {
  const rows: BenchRow[] = [];
  for (let round = 0; round <= rounds; round++) rows.push(await work(round));
  return medianRow(rows.slice(1));
}

async function measurePlan(fleet: RunningFleet): Promise<BenchRow> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const { totals } = await askPlan(fleet, {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { namespace: "n0", name: "few" },
    spec: {
      resourceSelectors: [selecting("few")],
      placement: { clusterAffinity: { clusterNames: ["m1"] } },
      conflictResolution: "Overwrite",
    },
  });
  const value = performance.now() - started;
  const used = process.cpuUsage(cpu);
  const note = `${totals.templates} templates, ${totals.changes} changes`;
  return { name: planned, value, unit: "ms", note, figures: { "CPU ms": (used.user + used.system) / 1_000 } };
}

/** A Service whose address nobody simulates: its class is unknown. */
async function putDoor(fleet: RunningFleet): Promise<void> {
  const client = clientOf(fleet);
  const selector = { apiVersion: "v1", kind: "Service" };
  await putPolicy(client, { namespace: "n0", name: "door", spec: { resourceSelectors: [selector] } });
  const spec = { type: "LoadBalancer", loadBalancerClass: "bench.example.com/none", ports: [{ port: 80 }] };
  await client.create(services, { ...selector, metadata: door, spec });
}

function hasDoor({ members }: RunningFleet): boolean {
  return members[0]?.server.core.store.count("/services/n0/") === 1;
}

/** A member says something new, and the template's status follows: reports are gathered for a while, so they are waited for. */
async function reportAddress({ members, controlPlane }: RunningFleet, ip: string): Promise<void> {
  const client = createClient({ transport: members[0]!.server, user: benchUser, manager: "bench" });
  const patch = { status: { loadBalancer: { ingress: [{ ip }] } } };
  const { store } = controlPlane.server.core;
  const shown = new Promise<void>((resolve) => {
    const watch = store.watch({
      prefix: "/services/n0/",
      after: store.revision,
      deliver({ value }) {
        if (!JSON.stringify((value as Fields)["status"] ?? {}).includes(ip)) return;
        if (watch.ok) watch.stop();
        resolve();
      },
    });
  });
  await client.patch(services, door, { type: "merge", patch, subresource: "status" });
  await Promise.race([shown, pause(60_000, undefined, { ref: false })]);
}
