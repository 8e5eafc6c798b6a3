import { setMaxListeners } from "node:events";
import { ServiceAccountTokens } from "#apiserver/identity/service-account-tokens.ts";
import { wireUser } from "#app/control-plane-access.ts";
import { DiscoveredResources } from "#app/discovered-resources.ts";
import { systemClock, systemRandom } from "#app/system.ts";
import { silentLogger } from "#base/logger.ts";
import { createClient } from "#client/client.ts";
import { startHousekeeping } from "#housekeeping/housekeeping.ts";
import { createEventRecorder } from "#runtime/event-recorder.ts";
import { defaultSimulatorOptions, noDelays } from "#simulator/simulator-options.ts";
import { startSimulator } from "#simulator/start-simulator.ts";
import type { KubeCluster } from "./kube-cluster.ts";

/** What a kube-apiserver alone lacks, done by ours over its API: namespaces, accounts, garbage; in members, workloads that become healthy. */
export interface KeptHouse extends AsyncDisposable {
  /** Resolves when nothing is under way. */
  whenIdle(): Promise<void>;
}

/** Does for a cluster what kube-controller-manager and kubelets do; pods are counted, not made. */
export async function keepHouse(cluster: KubeCluster, role: "control plane" | "member"): Promise<KeptHouse> {
  const stop = new AbortController();
  const { signal } = stop;
  setMaxListeners(0, signal); // one for every controller and stream
  const transport = cluster.transport();
  const client = createClient({ transport, user: wireUser, manager: "housekeeping" });
  const common = { client, clock: systemClock, log: silentLogger };
  const catalog = new DiscoveredResources({ ...common, transport });
  await catalog.start(signal);
  const tokens = new ServiceAccountTokens(cluster.pki.serviceAccountKey);
  const house = startHousekeeping({
    ...common,
    signal,
    catalog,
    caCertificate: cluster.pki.ca.certificate,
    issueToken: (subject) => tokens.issue({ ...subject, audiences: [], nowMs: systemClock.nowMs() }),
    delays: { namespaceMs: 100 },
  });
  const simulator =
    role === "control plane"
      ? undefined
      : startSimulator({
          ...common,
          member: cluster.name,
          signal,
          options: { ...defaultSimulatorOptions, pace: noDelays, pods: "counted" },
          recorderOf: (component) => createEventRecorder({ ...common, random: systemRandom, component }),
        });
  await Promise.all([house.whenIdle(), simulator?.ready]);
  return {
    whenIdle: async () => void (await Promise.all([house.whenIdle(), simulator?.whenIdle()])),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await house.stopped;
    },
  };
}
