import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { install } from "#app/installation/install.ts";
import { systemClock } from "#app/system.ts";
import type { Client } from "#client/client.ts";
import type { KubeCluster } from "#test/real/kube-cluster.ts";
import { KubeFleet } from "#test/real/kube-fleet.ts";
import { freePort, type RunningProgram, startProgram, whenReady } from "#test/real/program.ts";
import type { BenchRow } from "../bench-row.ts";
import type { BenchFlags } from "../flags.ts";
import { until } from "../fleet-state.ts";
import { openMeasuredFleet } from "./measured-fleet.ts";
import { processFigures } from "./process-figures.ts";
import { countRequests, requestsBetween } from "./request-counts.ts";
import { runScenarios } from "./run-scenarios.ts";

const clusters: ResourceId = {
  group: "cluster.karmada.io",
  version: "v1alpha1",
  resource: "clusters",
  kind: "Cluster",
  namespaced: false,
};
const secrets: ResourceId = { group: "", version: "v1", resource: "secrets", kind: "Secret", namespaced: true };
const clusterNamespace = "karmada-cluster";

/** `flotilla controllers` on a real kube-apiserver with etcd and three members of the same make, all on this machine. */
export async function realBenchmarks({ templates, scenarios }: BenchFlags): Promise<readonly BenchRow[]> {
  await using fleet = await KubeFleet.start({ members: ["m1", "m2", "m3"] });
  const client = fleet.controlPlane.client("bench");
  const needs = { client, clock: systemClock, timeoutMs: 60_000, adopt: false, report() {} };
  const port = await freePort();
  await install({ webhook: true, url: `https://127.0.0.1:${port}` }, needs);
  const webhook = await startWebhook(fleet, port);
  for (const member of fleet.members) await registerMember(client, member);
  let controllers = await startControllers(fleet);
  try {
    await allReady(client, fleet.members.length);
    using measured = await openMeasuredFleet({
      controlPlane: { kubeconfig: fleet.controlPlane.kubeconfig },
      members: fleet.members.map(({ name, kubeconfig }) => ({ kubeconfig, name })),
      pids: [controllers.pid, webhook.pid],
    });
    const label = "kube-apiserver, 3 members";
    const rows = await runScenarios(measured, { templates, wanted: scenarios, label, keeps: true });
    await controllers.kill();
    const before = (await countRequests([measured.controlPlane, ...measured.members]))!; // kube-apiservers count
    controllers = await startControllers(fleet);
    await new Promise((resolve) => setTimeout(resolve, 30_000));
    const after = (await countRequests([measured.controlPlane, ...measured.members]))!; // as above
    const { writes, byVerb } = requestsBetween(before, after);
    const verbs = [...byVerb].map(([verb, times]) => `${verb} ${times}`).join(" ");
    const { cpuSeconds, peakBytes } = processFigures([controllers.pid]);
    const note = `within 30 s (${verbs}), ${cpuSeconds.toFixed(1)} CPU s, peak ${Math.round(peakBytes / 2 ** 20)} MB; reports of members on themselves counted`;
    return [...rows, { name: `${label}: writes after a restart`, value: writes, unit: "", note }];
  } finally {
    await controllers.kill();
    await webhook.kill();
  }
}

/** Registers a member with its administrator's certificate. */
async function registerMember(client: Client, { name, url, pki }: KubeCluster): Promise<void> {
  const encoded = (text: string) => Buffer.from(text).toString("base64");
  await client.create(secrets, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: clusterNamespace, name },
    data: {
      caBundle: encoded(pki.ca.certificate),
      "tls.crt": encoded(pki.admin.certificate),
      "tls.key": encoded(pki.admin.privateKey),
    },
  });
  await client.create(clusters, {
    apiVersion: "cluster.karmada.io/v1alpha1",
    kind: "Cluster",
    metadata: { name },
    spec: { syncMode: "Push", apiEndpoint: url, secretRef: { namespace: clusterNamespace, name } },
  });
}

async function startControllers(fleet: KubeFleet): Promise<RunningProgram> {
  const flags = ["--metrics-bind-address=0", "--health-probe-bind-address=127.0.0.1:0", "--allow-loopback-members"];
  return startFlotilla(fleet, ["controllers", ...flags], async (told) => {
    const port = Number(/health port (\d+)/.exec(told)?.[1] ?? 0);
    return port > 0 && (await (await fetch(`http://127.0.0.1:${port}/readyz`)).text()).includes("leading");
  });
}

async function startWebhook(fleet: KubeFleet, port: number): Promise<RunningProgram> {
  const flags = ["--bind-address=127.0.0.1", `--secure-port=${port}`, "--cert-names=127.0.0.1"];
  return startFlotilla(fleet, ["webhook", ...flags], async (told) => /^ready$/m.test(told));
}

/** Starts the program that users start; ready when what it says is. */
async function startFlotilla(
  { folder, controlPlane }: KubeFleet,
  [command = "", ...flags]: readonly string[],
  isReady: (told: string) => Promise<boolean>,
): Promise<RunningProgram> {
  const log = join(folder, `${command}.log`);
  rmSync(log, { force: true });
  const args = ["dist/flotilla.js", command, `--kubeconfig=${controlPlane.kubeconfig}`, ...flags];
  const program = await startProgram({ file: process.execPath, args, log });
  await whenReady(program, () => isReady(readFileSync(log, "utf8")), `flotilla ${command}`);
  return program;
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
