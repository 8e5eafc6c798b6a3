import { join } from "node:path";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { install } from "#app/installation/install.ts";
import { systemClock } from "#app/system.ts";
import type { Client } from "#client/client.ts";
import type { KubeCluster } from "#test/real/kube-cluster.ts";
import { KubeFleet } from "#test/real/kube-fleet.ts";
import { type RunningProgram, startProgram, whenReady } from "#test/real/program.ts";
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
  await install({ webhook: false, url: undefined }, needs);
  for (const member of fleet.members) await registerMember(client, member);
  let controllers = await startControllers(fleet);
  try {
    await allReady(client, fleet.members.length);
    using measured = await openMeasuredFleet({
      controlPlane: { kubeconfig: fleet.controlPlane.kubeconfig },
      members: fleet.members.map(({ name, kubeconfig }) => ({ kubeconfig, name })),
      pids: [controllers.pid],
    });
    const label = "kube-apiserver, 3 members";
    const rows = await runScenarios(measured, { templates, wanted: scenarios, label, keepsLast: true });
    await controllers.kill();
    const before = (await countRequests([measured.controlPlane, ...measured.members]))!; // kube-apiservers count
    controllers = await startControllers(fleet);
    await new Promise((resolve) => setTimeout(resolve, 30_000));
    const after = (await countRequests([measured.controlPlane, ...measured.members]))!; // as above
    const { writes } = requestsBetween(before, after);
    const { cpuSeconds, peakBytes } = processFigures([controllers.pid]);
    const note = `within 30 s, ${cpuSeconds.toFixed(1)} CPU s, peak ${Math.round(peakBytes / 2 ** 20)} MB; reports of members on themselves counted`;
    return [...rows, { name: `${label}: writes after a restart`, value: writes, unit: "", note }];
  } finally {
    await controllers.kill();
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

async function startControllers({ folder, controlPlane }: KubeFleet): Promise<RunningProgram> {
  const program = await startProgram({
    file: process.execPath,
    args: [
      "dist/flotilla.js",
      "controllers",
      `--kubeconfig=${controlPlane.kubeconfig}`,
      "--metrics-bind-address=0",
      "--health-probe-bind-address=127.0.0.1:0",
      "--allow-loopback-members",
    ],
    log: join(folder, "controllers.log"),
  });
  const look = async () => {
    const port = Number(/health port (\d+)/.exec(program.lastWords())?.[1] ?? 0);
    return port > 0 && (await (await fetch(`http://127.0.0.1:${port}/readyz`)).text()).includes("leading");
  };
  await whenReady(program, look, "the controllers");
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
