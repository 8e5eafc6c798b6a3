import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpuUsage } from "node:process";
import type { PlanReport } from "#api/plan/plan-report.ts";
import { plans, type WantedEdit } from "#api/plan/plan-resources.ts";
import type { RunningFleet } from "#app/control-plane.ts";
import type { NewObject } from "#client/client.ts";
import type { BenchRow } from "./bench-row.ts";
import { clustersReady, inParallel, settled, totalRevision, until } from "./fleet-state.ts";
import { runFlotilla } from "./flotilla-command.ts";
import { benchUser, clientOf, inScratchFolder, memberNames, openFleet } from "./open-fleet.ts";

const templates = Number(process.env["FLOTILLA_BENCH_TEMPLATES"] ?? 10_000);
const policyCount = 500;
const memberCount = Number(process.env["FLOTILLA_BENCH_MEMBERS"] ?? 50);
const templatesEach = 10;
const rounds = 5;

const sizeText = `${templates.toLocaleString("en")} templates, ${policyCount} policies, ${memberCount} clusters`;

type Manifest = WantedEdit["manifest"] & { readonly [field: string]: unknown };

const deployments = { group: "apps", version: "v1", resource: "deployments", kind: "Deployment", namespaced: true };
const namespaceResource = { group: "", version: "v1", resource: "namespaces", kind: "Namespace", namespaced: false };
const policyGroup = { group: "policy.karmada.io", version: "v1alpha1" };
const policies = { ...policyGroup, resource: "propagationpolicies", kind: "PropagationPolicy", namespaced: true };
const defaults = {
  ...policyGroup,
  resource: "clusterpropagationpolicies",
  kind: "ClusterPropagationPolicy",
  namespaced: false,
};

/** What plans cost in a fleet of 10,000 Deployments, 500 policies and 50 clusters. */
export function planBenchmarks(): Promise<readonly BenchRow[]> {
  return inScratchFolder(async (directory) => {
    await using fleet = await openFleet({ members: memberNames(memberCount), directory, memory: true });
    await until(() => clustersReady(fleet, memberCount), 600_000);
    await fill(fleet);
    await settled(fleet);
    const rows: BenchRow[] = [];
    for (const [name, manifest] of edits()) rows.push(await measure(fleet, { name, manifest }));
    return [...rows, ...(await measureCommands(fleet, directory))];
  });
}

function edits(): readonly (readonly [string, Manifest])[] {
  const own = { apiVersion: "cluster.karmada.io/v1alpha1", kind: "Cluster", metadata: { name: "m1" } };
  const cordon = [{ key: "cluster.karmada.io/unschedulable", effect: "NoSchedule" }];
  return [
    ["a policy edit that concerns 10 templates", smallPolicy(0, ["m5", "m6"])],
    ["an override that concerns everything", override()],
    ["the default policy moves all that it holds", defaultPolicy(["m3", "m4"])],
    ["a cordon, which everything looks at", { ...own, spec: { syncMode: "Push", taints: cordon } }],
  ];
}

interface Measured {
  readonly name: string;
  readonly manifest: Manifest;
}

async function measure(fleet: RunningFleet, { name, manifest }: Measured): Promise<BenchRow> {
  const times: number[] = [];
  let totals: PlanReport["totals"] | undefined;
  const before = totalRevision(fleet);
  const cpu = cpuUsage();
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    totals = (await askPlan(fleet, manifest)).totals;
    times.push(performance.now() - started);
  }
  const { user: usedUs, system: systemUs } = cpuUsage(cpu);
  const told = `${totals?.templates} templates, ${(totals?.creates ?? 0) + (totals?.changes ?? 0) + (totals?.deletes ?? 0)} objects`;
  return {
    name: `plan, ${sizeText}: ${name}`,
    value: medianOf(times),
    unit: "ms",
    note: `${told}; ${spread(times)}; ${Math.round((usedUs + systemUs) / 1_000 / rounds)} ms CPU; ${totalRevision(fleet) - before} writes`,
  };
}

/** Asks what would happen if a manifest were applied. */
export async function askPlan({ controlPlane }: RunningFleet, manifest: Manifest): Promise<PlanReport> {
  const spec = { edits: [{ do: "apply", manifest }], fieldManager: "bench", serverSide: true };
  const { group, version, resource } = plans;
  const call = { verb: "create", path: { group, version, resource }, user: benchUser, options: {} } as const;
  const answer = await controlPlane.server.call({ ...call, body: { spec } });
  if (answer.kind !== "document") throw new Error(`cannot read the plan: it is a ${answer.kind}`);
  return (answer.document as unknown as { readonly status: PlanReport }).status; // as the server makes it
}

interface Command {
  readonly name: string;
  readonly words: readonly string[];
  readonly rounds: number;
  readonly note: string;
}

/** Commands as people give them, from the start of their process to its end. */
async function measureCommands({ kubeconfig }: RunningFleet, directory: string): Promise<readonly BenchRow[]> {
  const file = join(directory, "override.json");
  writeFileSync(file, JSON.stringify(override()));
  const access = ["--kubeconfig", kubeconfig];
  const planned = ["plan", "-f", file, "--server-side", ...access];
  return [
    await measureCommand({
      name: `plan, ${sizeText}: the whole command, an override that concerns everything`,
      words: planned,
      rounds,
      note: "printed whole",
    }),
    await measureCommand({
      name: `plan, ${sizeText}: the same with --summary`,
      words: [...planned, "--summary"],
      rounds,
      note: "totals and the worst effects",
    }),
    await measureCommand({
      name: `why, ${sizeText}: the whole command`,
      words: ["why", "deployment/web-0", "-n", "n0", ...access],
      rounds: 10,
      note: "for one Deployment",
    }),
  ];
}

async function measureCommand({ name, words, rounds: runs, note }: Command): Promise<BenchRow> {
  const times: number[] = [];
  for (let round = 0; round < runs; round++) {
    const started = performance.now();
    await runFlotilla(words);
    times.push(performance.now() - started);
  }
  return { name, value: medianOf(times), unit: "ms", note: `${note}; ${spread(times)}` };
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

function spread(times: readonly number[]): string {
  return `median of ${times.length}, best ${Math.round(Math.min(...times)).toLocaleString("en")}`;
}

async function fill(fleet: RunningFleet): Promise<void> {
  const client = clientOf(fleet);
  const apply = (resource: typeof policies, manifest: Manifest) =>
    client.patch(resource, manifest.metadata, { type: "apply", patch: manifest, force: true });
  await inParallel(50, (index) =>
    client.create(namespaceResource, { apiVersion: "v1", kind: "Namespace", metadata: { name: `n${index}` } }),
  );
  await apply(defaults, defaultPolicy(["m1", "m2"]));
  await inParallel(policyCount - 1, (index) => apply(policies, smallPolicy(index, [`m${1 + (index % memberCount)}`])));
  await inParallel(templates, (index) => client.create(deployments, deployment(index)));
  await until(
    () => fleet.controlPlane.server.core.store.count("work.karmada.io/resourcebindings/") >= templates,
    1_800_000,
  );
}

/** The first templates belong to small policies, ten to each; all others to the default. */
function deployment(index: number): NewObject {
  const owner = Math.floor(index / templatesEach);
  const isDefault = owner >= policyCount - 1;
  const name = `web-${index}`;
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name,
      namespace: `n${isDefault ? index % 50 : owner % 50}`,
      labels: isDefault ? labels : { ...labels, group: `g${owner}` },
    },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "nginx:1" }] } },
    },
  };
}

function smallPolicy(index: number, clusterNames: readonly string[]): Manifest {
  const labelSelector = { matchLabels: { group: `g${index}` } };
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "PropagationPolicy",
    metadata: { name: `p${index}`, namespace: `n${index % 50}` },
    spec: {
      resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment", labelSelector }],
      placement: { clusterAffinity: { clusterNames } },
    },
  };
}

function defaultPolicy(clusterNames: readonly string[]): Manifest {
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "ClusterPropagationPolicy",
    metadata: { name: "default" },
    spec: {
      resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment" }],
      placement: { clusterAffinity: { clusterNames } },
    },
  };
}

function override(): Manifest {
  const labelsOverrider = [{ operator: "add", value: { fleet: "blue" } }];
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: "ClusterOverridePolicy",
    metadata: { name: "blue" },
    spec: {
      resourceSelectors: [{ apiVersion: "apps/v1", kind: "Deployment" }],
      overrideRules: [{ overriders: { labelsOverrider } }],
    },
  };
}
