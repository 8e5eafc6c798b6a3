import { parseExposition } from "#test/world/exposition.ts";
import type { MeasuredCluster } from "./measured-fleet.ts";

/** Requests by verb, as the API server counts them. */
export type RequestCounts = ReadonlyMap<string, number>;

const writing: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION"]);
/** What goes on whether anything happens or not. */
const background: ReadonlySet<string> = new Set(["leases", "events"]);

/** What servers have been asked so far, without what this benchmark asked; undefined where they do not count. */
export async function countRequests(clusters: readonly MeasuredCluster[]): Promise<RequestCounts | undefined> {
  const counts = new Map<string, number>();
  for (const { scrape, own } of clusters) {
    const { samples } = parseExposition(requestLines(await scrape()));
    if (samples.length === 0) return undefined;
    for (const { labels, value } of samples) {
      if (background.has(labels["resource"] ?? "")) continue;
      const verb = labels["verb"] ?? "";
      counts.set(verb, (counts.get(verb) ?? 0) + value);
    }
    for (const [verb, times] of own) counts.set(verb, (counts.get(verb) ?? 0) - times);
  }
  return counts;
}

/** What was asked between two counts: all writes, and each verb. */
export function requestsBetween(before: RequestCounts, after: RequestCounts) {
  const byVerb = new Map([...after].map(([verb, times]) => [verb, times - (before.get(verb) ?? 0)] as const));
  const writes = [...byVerb].reduce((sum, [verb, times]) => sum + (writing.has(verb) ? times : 0), 0);
  return { writes, byVerb: new Map([...byVerb].filter(([, times]) => times > 0)) };
}

/** The exposition of a kube-apiserver is tens of megabytes; few lines of it are about requests. */
function requestLines(text: string): string {
  return text
    .split("\n")
    .filter((line) => line.startsWith("apiserver_request_total{"))
    .join("\n");
}
