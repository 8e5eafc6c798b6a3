import type { ControllersReplica } from "./controllers-replica.ts";
import type { PrometheusMetrics } from "./prometheus-metrics.ts";
import { type StatusPage, type StatusServer, startStatusServer } from "./status-server.ts";

interface BindAddress {
  readonly host: string;
  readonly port: number;
}

export interface PagesNeeds {
  readonly replica: ControllersReplica;
  readonly metrics: PrometheusMetrics;
  /** Undefined: nowhere. */
  readonly metricsAt: BindAddress | undefined;
  readonly healthAt: BindAddress | undefined;
}

export interface ServedPages extends AsyncDisposable {
  readonly listening: readonly { readonly what: "metrics" | "health"; readonly port: number }[];
}

/** Answers Prometheus and probes about a replica of the controllers. */
export async function servePages({ replica, metrics, metricsAt, healthAt }: PagesNeeds): Promise<ServedPages> {
  const servers: StatusServer[] = [];
  const listening: { what: "metrics" | "health"; port: number }[] = [];
  const serve = async (what: "metrics" | "health", at: BindAddress | undefined, pages: Pages) => {
    if (at === undefined) return;
    const server = await startStatusServer({ ...at, pages: new Map(Object.entries(pages)) });
    servers.push(server);
    listening.push({ what, port: server.port });
  };
  const alive = () => ({ code: 200, text: "ok" });
  await serve("metrics", metricsAt, { "/metrics": async () => ({ code: 200, text: metrics.text() }) });
  await serve("health", healthAt, { "/healthz": alive, "/livez": alive, "/readyz": () => readiness(replica) });
  return {
    listening,
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server[Symbol.asyncDispose]();
    },
  };
}

type Pages = Readonly<Record<string, () => StatusPage | Promise<StatusPage>>>;

function readiness(replica: ControllersReplica): StatusPage {
  const reason = replica.unreadiness();
  return reason === undefined ? { code: 200, text: `ok, ${replica.role}\n` } : { code: 503, text: `${reason}\n` };
}
