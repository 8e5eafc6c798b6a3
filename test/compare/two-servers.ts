import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadBuiltinKinds } from "#app/builtin-kinds.ts";
import { startCluster } from "#app/start-cluster.ts";
import { systemClock, systemRandom } from "#app/system.ts";
import { silentLogger } from "#base/logger.ts";
import { KubeFleet } from "#test/real/kube-fleet.ts";
import { type HttpAnswer, http, type ServedCluster } from "#test/world/http.ts";
import type { RequestQuestion } from "./request-question.ts";

/** A real kube-apiserver and ours, both empty. */
export interface TwoServers extends AsyncDisposable {
  readonly theirs: ComparedServer;
  readonly ours: ComparedServer;
}

/** A server with the connections that are kept to it. */
export interface ComparedServer extends ServedCluster {
  readonly agent: Agent;
}

/**
 * The real one runs without the plugins whose work is that of a whole cluster, and which are not ours (K18): nobody makes service
 * accounts here, and what pods get from limit ranges, priority and runtime classes and for tolerations they get where they run.
 */
const plugins = [
  "ServiceAccount",
  "LimitRanger",
  "ResourceQuota",
  "Priority",
  "RuntimeClass",
  "DefaultTolerationSeconds",
  "StorageObjectInUseProtection",
];
const flags = [`--disable-admission-plugins=${plugins.join(",")}`, "--allow-privileged=true"];

export async function startTwoServers(): Promise<TwoServers> {
  const [real, own] = await Promise.all([KubeFleet.start({ members: [], flags }), startOurServer()]);
  const theirs = compared(real.controlPlane);
  return {
    theirs,
    ours: own.server,
    async [Symbol.asyncDispose]() {
      theirs.agent.destroy();
      await Promise.all([real[Symbol.asyncDispose](), own[Symbol.asyncDispose]()]);
    },
  };
}

export interface OurServer extends AsyncDisposable {
  readonly server: ComparedServer;
}

/** One API server of ours with its housekeeping and nothing else: no kinds but the built-in ones, no admission of our own, no controllers. */
export async function startOurServer(): Promise<OurServer> {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-compare-"));
  const started: AsyncDisposable[] = [];
  const cluster = await startCluster({
    name: "compared",
    role: "member",
    directory,
    port: 0,
    memory: true,
    builtin: loadBuiltinKinds(),
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    started: (part) => started.push(part),
  });
  const server = compared(cluster);
  return {
    server,
    async [Symbol.asyncDispose]() {
      server.agent.destroy();
      for (const part of started.toReversed()) await part[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function compared({ url, pki }: ServedCluster): ComparedServer {
  return { url, pki, agent: new Agent({ keepAlive: true, maxSockets: 4 }) };
}

export function send(
  server: ComparedServer,
  { method, path, body, contentType, accept }: RequestQuestion,
): Promise<HttpAnswer> {
  const headers = {
    ...(contentType === undefined ? {} : { "content-type": contentType }),
    ...(accept === undefined ? {} : { accept }),
  };
  const nothing = { code: 0, headers: {}, text: "", json: {} }; // it hung up
  const call = { method, headers, agent: server.agent, ...(body === undefined ? {} : { body }) };
  return http(server, path, call).catch(() => nothing);
}
