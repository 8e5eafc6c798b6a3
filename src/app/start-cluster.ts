import { join } from "node:path";
import { type FeatureGates, gatesWith } from "#api/feature-gates.ts";
import type { HealthCheck } from "#apiserver/http/health.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Random } from "#base/random.ts";
import { createClient } from "#client/client.ts";
import type { HousekeepingDelays } from "#housekeeping/housekeeping-needs.ts";
import { LuaHost } from "#lua/lua-host.ts";
import { bootstrapCluster } from "./bootstrap.ts";
import type { BuiltinKinds } from "./builtin-kinds.ts";
import { createPki, type MakePki } from "./certificates.ts";
import { runHousekeeping } from "./cluster-housekeeping.ts";
import { controlPlaneAdmission } from "./control-plane-admission.ts";
import { EmbeddedCluster, type EmbeddedClusterOptions } from "./embedded-cluster.ts";
import { installOurKinds } from "./install-kinds.ts";
import { loadOrCreatePki } from "./pki-files.ts";
import { portLike, rememberPort } from "./remembered-port.ts";
import { systemClock } from "./system.ts";

/** The identity under which the process itself writes. */
export const systemUser = { name: "system:flotilla", groups: ["system:masters"] };

export interface StartClusterOptions {
  readonly name: string;
  /** Our own kinds and namespaces are the control plane's alone. */
  readonly role: "control plane" | "member";
  readonly directory: string;
  readonly port: number;
  readonly memory: boolean;
  readonly builtin: BuiltinKinds;
  /** `createPki` when absent. */
  readonly makePki?: MakePki;
  readonly delays?: Partial<HousekeepingDelays>;
  /** Of the controllers that will work on it. */
  readonly gates?: FeatureGates;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** What else its `livez` and `readyz` ask about. */
  readonly checks?: readonly HealthCheck[];
  /** What else it serves as plain text, by path. */
  readonly pages?: EmbeddedClusterOptions["pages"];
  /** Kinds that are questions, with who answers them. */
  readonly questions?: EmbeddedClusterOptions["questions"];
  /** Of all clusters of the fleet. */
  readonly settled?: EmbeddedClusterOptions["settled"];
  readonly texts?: EmbeddedClusterOptions["texts"];
  readonly threads?: EmbeddedClusterOptions["threads"];
  /** What is started is handed in at once, so that a failure later on can stop it. */
  readonly started: (part: AsyncDisposable) => void;
}

const controlPlaneNamespaces = ["karmada-cluster", "karmada-system"];

/** Changes that a simulated member keeps for clients that come back: there may be a hundred members in the process, and each kept as many as the control plane. */
const memberHistoryLimit = 2_000;

/** One API server with what every cluster starts with, listening. The housekeeping of a member is at work, that of a control plane is its owner's to begin. */
export async function startCluster(options: StartClusterOptions): Promise<EmbeddedCluster> {
  const { name, role, memory, builtin, clock, random, log, delays, makePki = createPki } = options;
  const gates = options.gates ?? gatesWith();
  const isControlPlane = role === "control plane";
  const home = join(options.directory, ...(isControlPlane ? ["control-plane"] : ["members", name]));
  const request = { cluster: name, nowMs: clock.nowMs() };
  const make = () => makePki(request);
  const pki = memory ? await make() : await loadOrCreatePki(home, make);
  const directory = memory ? undefined : home;
  const port = memory ? options.port : await portLike(home, options.port);
  const lua = new LuaHost({ clock: systemClock }); // no thread before there is a script
  options.started(lua);
  const cluster = await EmbeddedCluster.open({
    name,
    directory,
    pki,
    host: "127.0.0.1",
    port,
    builtin,
    clock,
    random,
    log,
    ...(!isControlPlane && { historyLimit: memberHistoryLimit }),
    ...(options.checks && { checks: options.checks }),
    ...(options.pages && { pages: options.pages }),
    ...(options.questions && { questions: options.questions }),
    ...(options.settled && { settled: options.settled }),
    ...(options.texts && { texts: options.texts }),
    ...(options.threads && { threads: options.threads }),
    ...(isControlPlane && { admission: controlPlaneAdmission({ clock, random, lua, gates }) }),
  });
  options.started(cluster);
  const client = createClient({ transport: cluster.server, user: systemUser, manager: "flotilla" });
  await bootstrapCluster(client, isControlPlane ? controlPlaneNamespaces : []);
  if (isControlPlane) await installOurKinds(client);
  if (!isControlPlane) options.started(runHousekeeping(cluster, { client, clock, log, ...(delays && { delays }) }));
  await cluster.listen();
  if (!memory) rememberPort(home, Number(new URL(cluster.url).port));
  return cluster;
}
