import { runtimeMetrics } from "#api/metrics/runtime-metrics.ts";
import { type Counter, Handles, type Metrics } from "#base/metrics.ts";
import type { ObservedRequest } from "#client/https-wire.ts";

/** Counts requests to API servers, in client-go's words. */
export function requestFigures(metrics: Metrics): (request: ObservedRequest) => void {
  const counters = new Handles<Counter>((key) => {
    const [code, host, method] = key.split(" ") as [string, string, string];
    return metrics.counter(runtimeMetrics.requests, { code, host, method });
  });
  return ({ code, host, method }) => counters.of(`${code} ${host} ${method}`).add();
}
