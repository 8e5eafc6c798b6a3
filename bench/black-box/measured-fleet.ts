import type { ApiCall, ApiTransport } from "#api/meta/api-call.ts";
import { systemClock } from "#app/system.ts";
import { chooseContext, readKubeconfig } from "#cli/kubeconfig/kubeconfig.ts";
import { accessOfContext } from "#cli/kubeconfig/server-access.ts";
import { type Client, createClient } from "#client/client.ts";
import { createHttpTransport } from "#client/http-transport.ts";
import { HttpsWire } from "#client/https-wire.ts";

/** One API server of a fleet that is measured from outside. */
export interface MeasuredCluster {
  readonly name: string;
  readonly client: Client;
  /** How many calls of each verb this benchmark made itself, as the server's own figures call them. */
  readonly own: ReadonlyMap<string, number>;
  /** The server's own figures, in Prometheus' text format; empty where it has none. */
  readonly scrape: () => Promise<string>;
}

/** A control plane that speaks Karmada's API, whoever made it, and its members. */
export interface MeasuredFleet extends Disposable {
  readonly controlPlane: MeasuredCluster;
  readonly members: readonly MeasuredCluster[];
  /** The processes whose time and memory count; none where they run elsewhere. */
  readonly pids: readonly number[];
}

export interface FleetFiles {
  readonly controlPlane: ContextFile;
  readonly members: readonly ContextFile[];
  readonly pids: readonly number[];
}

export interface ContextFile {
  readonly kubeconfig: string;
  readonly context?: string;
  /** The name under which the member has joined; its context's, unless told otherwise. */
  readonly name?: string;
}

/** Opens the way to every API server. */
export async function openMeasuredFleet({ controlPlane, members, pids }: FleetFiles): Promise<MeasuredFleet> {
  const closing: (() => void)[] = [];
  const open = (file: ContextFile) => openCluster(file, closing);
  return {
    controlPlane: await open(controlPlane),
    members: await Promise.all(members.map(open)),
    pids,
    [Symbol.dispose]() {
      for (const close of closing) close();
    },
  };
}

async function openCluster(file: ContextFile, closing: (() => void)[]): Promise<MeasuredCluster> {
  const context = chooseContext(readKubeconfig([file.kubeconfig]), file.context);
  const access = await accessOfContext(context, {
    env: process.env,
    nowMs: () => Date.now(),
    interactive: false,
    trusted: true,
  });
  const needs = { ...access, addresses: { allowLoopback: true }, clock: systemClock };
  const transport = createHttpTransport(needs);
  const figures = new HttpsWire({ ...needs, limits: { maxBytes: 256 * 2 ** 20 } });
  closing.push(
    () => transport.close(),
    () => figures.close(),
  );
  const own = new Map<string, number>();
  return {
    name: file.name ?? access.name,
    client: createClient({ transport: counted(transport, own), user: { name: "", groups: [] }, manager: "bench" }),
    own,
    async scrape() {
      const { code, text } = await figures.send({ method: "GET", path: "/metrics" });
      return code === 200 ? text : "";
    },
  };
}

/** The words of `apiserver_request_total` for what clients ask. */
const verbs: Readonly<Partial<Record<ApiCall["verb"], string>>> = { create: "POST", update: "PUT" };

function counted(transport: ApiTransport, own: Map<string, number>): ApiTransport {
  return {
    call(call) {
      const verb = call.patchType === "apply" ? "APPLY" : (verbs[call.verb] ?? call.verb.toUpperCase());
      own.set(verb, (own.get(verb) ?? 0) + 1);
      return transport.call(call);
    },
  };
}
