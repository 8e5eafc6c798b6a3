import type { ApiTransport } from "#api/meta/api-call.ts";
import type { PlanReport } from "#api/plan/plan-report.ts";
import { systemClock } from "#app/system.ts";
import { chooseContext, readKubeconfig } from "#cli/kubeconfig/kubeconfig.ts";
import { accessOfContext } from "#cli/kubeconfig/server-access.ts";
import { type Client, createClient } from "#client/client.ts";
import { createHttpTransport } from "#client/http-transport.ts";
import { fleetAnswers, HttpsWire } from "#client/https-wire.ts";
import type { Figures } from "../bench-row.ts";
import type { Profiler } from "../profiler.ts";
import { verbOf } from "./request-verbs.ts";

/** One API server of a fleet that is measured from outside. */
export interface MeasuredCluster {
  readonly name: string;
  readonly client: Client;
  readonly transport: ApiTransport;
  /** How many calls of each verb this benchmark made itself, as the server's own figures call them. */
  readonly own: ReadonlyMap<string, number>;
  /** The server's own figures, in Prometheus' text format; empty where it has none. */
  readonly scrape: () => Promise<string>;
}

/** A control plane that speaks Karmada's API, whoever made it, and its members. */
export interface MeasuredFleet extends Disposable {
  readonly controlPlane: MeasuredCluster;
  readonly members: readonly MeasuredCluster[];
  readonly surroundings: Surroundings;
}

/** What can be done to a fleet besides asking its API servers; a scenario that needs what is not there is refused by name. */
export interface Surroundings {
  /** The processes whose time and memory count; none where they run elsewhere. */
  readonly pids: () => readonly number[];
  /** Processes whose time is told each by itself, by what they are: who keeps the machine busy is what bounds a change. */
  readonly told?: () => Readonly<Record<string, number>>;
  /** Ends the control plane's controllers and starts them anew. */
  readonly restart?: () => Promise<Restarted>;
  /** Whether workloads become healthy in members, so that their statuses can be waited for. */
  readonly runsWorkloads: boolean;
  /** Collects what belonged to what was deleted, where nobody else does. */
  readonly collectGarbage?: () => Promise<AsyncDisposable>;
  /** The server's figures, where they are not at `/metrics`. */
  readonly scrape?: (cluster: string) => Promise<string>;
  readonly profiler?: () => Profiler;
  /** Whether nobody goes on with the fleet: what the last scenario made need not be taken away. */
  readonly isPassing?: boolean;
  /** Answers what a manifest would do, where the control plane's API does not. */
  readonly plan?: (manifest: object) => Promise<PlanReport>;
}

/** What a restart took. */
export interface Restarted {
  /** From the start of the new process to the moment when it says that it is ready. */
  readonly seconds: number;
  readonly figures?: Figures;
}

export interface FleetFiles {
  readonly controlPlane: ContextFile;
  readonly members: readonly ContextFile[];
}

export interface ContextFile {
  readonly kubeconfig: string;
  readonly context?: string;
  /** The name under which the member has joined; its context's, unless told otherwise. */
  readonly name?: string;
}

/** Opens the way to every API server. */
export async function openMeasuredFleet(
  { controlPlane, members }: FleetFiles,
  surroundings: Surroundings,
): Promise<MeasuredFleet> {
  const closing: (() => void)[] = [];
  const open = (file: ContextFile) => openCluster(file, { closing, surroundings });
  return {
    controlPlane: await open(controlPlane),
    members: await Promise.all(members.map(open)),
    surroundings,
    [Symbol.dispose]() {
      for (const close of closing) close();
    },
  };
}

interface Opening {
  readonly closing: (() => void)[];
  readonly surroundings: Surroundings;
}

async function openCluster(file: ContextFile, { closing, surroundings }: Opening): Promise<MeasuredCluster> {
  const context = chooseContext(readKubeconfig([file.kubeconfig]), file.context);
  const access = await accessOfContext(context, {
    env: process.env,
    nowMs: () => Date.now(),
    interactive: false,
    trusted: true,
  });
  const needs = { ...access, addresses: { allowLoopback: true }, clock: systemClock, limits: fleetAnswers };
  const wire = createHttpTransport(needs);
  const figures = new HttpsWire(needs);
  closing.push(
    () => wire.close(),
    () => figures.close(),
  );
  const own = new Map<string, number>();
  const transport = counted(wire, own);
  const name = file.name ?? access.name;
  return {
    name,
    client: createClient({ transport, user: { name: "", groups: [] }, manager: "bench" }),
    transport,
    own,
    async scrape() {
      if (surroundings.scrape !== undefined) return surroundings.scrape(name);
      const { code, text } = await figures.send({ method: "GET", path: "/metrics" });
      return code === 200 ? text : "";
    },
  };
}

function counted(transport: ApiTransport, own: Map<string, number>): ApiTransport {
  return {
    call(call) {
      const verb = verbOf(call);
      own.set(verb, (own.get(verb) ?? 0) + 1);
      return transport.call(call);
    },
  };
}
