import { parseExposition } from "#test/world/exposition.ts";
import type { MeasuredCluster } from "./measured-fleet.ts";

/** Requests by verb, as each API server counts them, and what this benchmark asked itself. */
export type RequestCounts = readonly ServerCounts[];

interface ServerCounts {
  readonly asked: ReadonlyMap<string, number>;
  readonly own: ReadonlyMap<string, number>;
}

const writing: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION"]);
/** What goes on whether anything happens or not. */
const background: ReadonlySet<string> = new Set(["leases", "events"]);

/** What servers have been asked so far; undefined where they do not count. */
export async function countRequests(clusters: readonly MeasuredCluster[]): Promise<RequestCounts | undefined> {
  const all: ServerCounts[] = [];
  for (const { scrape, own } of clusters) {
    const asked = new Map<string, number>();
    const { samples } = parseExposition(requestLines(await scrape()));
    if (samples.length === 0) return undefined;
    for (const { name, labels, value } of samples) {
      if (name === webhookCalls || background.has(labels["resource"] ?? "")) continue;
      const verb = labels["verb"] ?? "";
      asked.set(verb, (asked.get(verb) ?? 0) + value);
    }
    all.push({ asked, own: new Map(own) });
  }
  return all;
}

/** What was asked between two counts, without what this benchmark asked: all writes, and each verb. */
export function requestsBetween(before: RequestCounts, after: RequestCounts) {
  const byVerb = new Map<string, number>();
  for (const [index, { asked, own }] of after.entries()) {
    const earlier = before[index];
    // a server that was started anew counts from zero
    const isNew = [...(earlier?.asked ?? [])].some(([verb, times]) => (asked.get(verb) ?? 0) < times);
    for (const [verb, times] of asked) {
      const since = isNew ? times : times - (earlier?.asked.get(verb) ?? 0);
      const ours = (own.get(verb) ?? 0) - (earlier?.own.get(verb) ?? 0);
      byVerb.set(verb, (byVerb.get(verb) ?? 0) + Math.max(0, since - ours));
    }
  }
  const writes = [...byVerb].reduce((sum, [verb, times]) => sum + (writing.has(verb) ? times : 0), 0);
  return { writes, byVerb: new Map([...byVerb].filter(([, times]) => times > 0)) };
}

/** Requests by verb, resource and code, and calls of webhooks, of one server; for a look at what a change is made of. */
export async function requestsByResource({ scrape }: MeasuredCluster): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { name, labels, value } of parseExposition(requestLines(await scrape())).samples) {
    const { verb, resource, subresource = "", code, type, operation } = labels;
    const what =
      name === webhookCalls
        ? `webhook ${labels["name"]} ${operation} (${type})`
        : `${verb} ${resource}${subresource === "" ? "" : `/${subresource}`} ${code}`;
    counts.set(what, (counts.get(what) ?? 0) + value);
  }
  return counts;
}

const webhookCalls = "apiserver_admission_webhook_admission_duration_seconds_count";

/** The exposition of a kube-apiserver is tens of megabytes; few lines of it are about requests. */
function requestLines(text: string): string {
  return text
    .split("\n")
    .filter((line) => line.startsWith("apiserver_request_total{") || line.startsWith(`${webhookCalls}{`))
    .join("\n");
}
