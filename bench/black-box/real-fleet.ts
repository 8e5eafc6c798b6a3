import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clusterNamespace } from "#api/cluster/namespaces.ts";
import type { PlanReport } from "#api/plan/plan-report.ts";
import { install } from "#app/installation/install.ts";
import { controllersAccount, webhookAccount } from "#app/installation/names.ts";
import { join as joinCluster } from "#app/membership/join.ts";
import { systemClock } from "#app/system.ts";
import type { Client } from "#client/client.ts";
import { writeAccountKubeconfig } from "#test/cli/account-kubeconfig.ts";
import { keepHouse } from "#test/real/keep-house.ts";
import type { KubeCluster } from "#test/real/kube-cluster.ts";
import { KubeFleet } from "#test/real/kube-fleet.ts";
import { freePort, type RunningProgram, startProgram, whenReady } from "#test/real/program.ts";
import type { BenchRow } from "../bench-row.ts";
import type { BenchFlags } from "../flags.ts";
import { until } from "../fleet-state.ts";
import { runFlotilla } from "../flotilla-command.ts";
import { profileVariable, signalledProfiler } from "../profiler.ts";
import { clusters } from "./fleet-view.ts";
import { openMeasuredFleet } from "./measured-fleet.ts";
import { runScenarios } from "./run-scenarios.ts";
import { changeNames } from "./scenarios.ts";
import { greatMoves } from "./sizes.ts";

interface RealSize {
  readonly templates: number;
  readonly changes: readonly string[];
}

/** What Karmada writes when it restarts was measured with twice as many templates as all else; ten times as many tell what grows. */
function sizesFrom(templates: number): readonly RealSize[] {
  return [
    { templates, changes: changeNames },
    { templates: 2 * templates, changes: ["restart"] },
    { templates: 10 * templates, changes: greatMoves },
  ];
}

/** `flotilla controllers` on a real kube-apiserver with etcd and members of the same make, all on this machine. */
export async function realBenchmarks(flags: BenchFlags): Promise<readonly BenchRow[]> {
  const { scenarios, profile, members, requests } = flags;
  await using fleet = await KubeFleet.start({ members });
  const client = fleet.controlPlane.client("bench");
  const needs = { client, clock: systemClock, timeoutMs: 60_000, adopt: false, report() {} };
  const port = await freePort();
  await install({ webhook: true, url: `https://127.0.0.1:${port}` }, needs);
  const webhook = await startWebhook(fleet, port);
  await Promise.all(fleet.members.map((member) => joinMember(client, member)));
  let controllers = await startControllers(fleet, profile);
  try {
    await allReady(client, fleet.members.length);
    const kubeconfigs = fleet.members.map(({ name, kubeconfig }) => ({ kubeconfig, name }));
    const { kubeconfig } = fleet.controlPlane;
    const profiler = profile === undefined ? undefined : signalledProfiler(() => controllers.pid, fleet.folder);
    using measured = await openMeasuredFleet(
      { controlPlane: { kubeconfig }, members: kubeconfigs },
      {
        pids: () => [controllers.pid, webhook.pid],
        told: () => ({
          controllers: controllers.pid,
          webhook: webhook.pid,
          "control plane": fleet.controlPlane.pid,
          ...Object.fromEntries(fleet.members.map(({ name, pid }) => [name, pid])),
          etcd: fleet.etcd.pid,
          benchmark: process.pid,
        }),
        runsWorkloads: false,
        plan: (manifest) => planByCommand(fleet, manifest),
        collectGarbage: () => keepHouse(fleet.controlPlane, "control plane"),
        restart: async () => {
          await controllers.kill();
          profiler?.startWithNext();
          const started = performance.now();
          controllers = await startControllers(fleet, profile);
          return { seconds: (performance.now() - started) / 1_000 };
        },
        ...(profiler && { profiler: () => profiler }),
      },
    );
    const label = `kube-apiserver, ${members.length} members`;
    const rows: BenchRow[] = [];
    for (const { templates, changes } of sizesFrom(flags.templates)) {
      const wanted = changes.filter((name) => scenarios.includes(name));
      rows.push(...(await runScenarios(measured, { templates, wanted, label, profile, requests })));
      flags.soFar?.(rows);
    }
    return rows;
  } finally {
    await controllers.kill();
    await webhook.kill();
  }
}

/** Registers a member as `flotilla join` does. */
async function joinMember(controlPlane: Client, cluster: KubeCluster): Promise<void> {
  await joinCluster(
    {
      cluster: cluster.name,
      namespace: clusterNamespace,
      endpoint: new URL(cluster.url),
      identity: { ca: cluster.pki.ca.certificate },
      proxy: undefined,
    },
    // nobody fills secrets with tokens here: they are asked for
    { controlPlane, member: cluster.client("bench"), clock: systemClock, timeoutMs: 1_000, dryRun: false, report() {} },
  );
}

async function startControllers(fleet: KubeFleet, profile: string | undefined): Promise<RunningProgram> {
  const flags = [
    "--metrics-bind-address=0",
    "--health-probe-bind-address=127.0.0.1:0",
    "--allow-loopback-members",
    "--feature-gates=PropagationPolicyPreemption=true",
  ];
  return startFlotilla({ fleet, profile }, ["controllers", ...flags], async (told) => {
    const port = Number(/health port (\d+)/.exec(told)?.[1] ?? 0);
    return port > 0 && (await (await fetch(`http://127.0.0.1:${port}/readyz`)).text()).includes("leading");
  });
}

async function startWebhook(fleet: KubeFleet, port: number): Promise<RunningProgram> {
  const flags = ["--bind-address=127.0.0.1", `--secure-port=${port}`, "--cert-names=127.0.0.1"];
  return startFlotilla({ fleet }, ["webhook", ...flags], async (told) => /^ready$/m.test(told));
}

const accounts: Readonly<Record<string, string>> = { controllers: controllersAccount, webhook: webhookAccount };

/** Starts the program that users start, with the account that `install` made for it; ready when what it says is. */
async function startFlotilla(
  { fleet: { folder, controlPlane }, profile }: { readonly fleet: KubeFleet; readonly profile?: string | undefined },
  [command = "", ...flags]: readonly string[],
  isReady: (told: string) => Promise<boolean>,
): Promise<RunningProgram> {
  const log = join(folder, `${command}.log`);
  rmSync(log, { force: true });
  const kubeconfig = join(folder, `${command}.kubeconfig`);
  if (!existsSync(kubeconfig))
    await writeAccountKubeconfig({
      account: accounts[command] ?? "",
      client: controlPlane.client("bench"),
      server: controlPlane.url,
      ca: controlPlane.pki.ca.certificate,
      file: kubeconfig,
    });
  const preload = profile === undefined ? [] : ["--import", "./dist/bench-profile.js"];
  const args = [...imageFlags(), ...preload, "dist/flotilla.js", command, `--kubeconfig=${kubeconfig}`, ...flags];
  const program = await startProgram({
    file: process.execPath,
    args,
    log,
    env: { ...process.env, [profileVariable]: folder },
  });
  await whenReady(program, () => isReady(readFileSync(log, "utf8")), `flotilla ${command}`);
  return program;
}

/** Asks as people do there: the command reads what it needs and plans by itself. */
async function planByCommand({ controlPlane, folder }: KubeFleet, manifest: object): Promise<PlanReport> {
  const file = join(folder, "planned.json");
  writeFileSync(file, JSON.stringify(manifest));
  const access = `--kubeconfig=${controlPlane.kubeconfig}`;
  return JSON.parse(await runFlotilla(["plan", "--server-side", "-f", file, "-o", "json", access]));
}

/** With what the image starts Node: what is measured is what runs in a cluster. */
function imageFlags(): readonly string[] {
  const [, entry = "[]"] = /^ENTRYPOINT (\[.*\])$/m.exec(readFileSync("deploy/Dockerfile", "utf8")) ?? [];
  return (JSON.parse(entry) as string[]).slice(1, -1); // between the two programs
}

async function allReady(client: Client, count: number): Promise<void> {
  let ready = 0;
  const look = async () => {
    const { items } = await client.list(clusters);
    ready = items.filter((each) => JSON.stringify(each).includes('"reason":"ClusterReady"')).length;
  };
  const watch = setInterval(() => void look(), 500);
  try {
    await until(() => ready === count);
  } finally {
    clearInterval(watch);
  }
}
