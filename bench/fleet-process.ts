import { ApiServer } from "#apiserver/api-server.ts";
import { boundHeapGrowth } from "#app/heap-growth.ts";
import { systemClock } from "#app/system.ts";
import { verbOf } from "./black-box/request-verbs.ts";
import { openFleet } from "./open-fleet.ts";

/**
 * `node fleet-process.js DIRECTORY MEMBERS`: what `flotilla up` is, with workloads that have no pods of their own, for measurements from
 * outside. Whoever started it may ask what its servers were asked, in the words of a kube-apiserver's figures.
 */
const counts = countCalls();
const [directory = "", members = ""] = process.argv.slice(2);
const fleet = await openFleet({ members: members.split(","), directory });
boundHeapGrowth(systemClock); // as the program does, and when
process.on("message", (cluster: string) => {
  const found = [fleet.controlPlane, ...fleet.members].find(({ name }) => name === cluster);
  process.send?.({ cluster, text: found === undefined ? "" : expositionOf(found.server) });
});
const stop = async () => {
  await fleet[Symbol.asyncDispose]();
  process.exit(0);
};
process.once("SIGTERM", () => void stop());
process.once("disconnect", () => void stop()); // nobody is there any more who could end it
console.log("ready");

/** Counts from the first call on: what a start asks belongs to what it costs. Simulated workloads are no part of what is measured. */
function countCalls(): WeakMap<ApiServer, Map<string, number>> {
  const byServer = new WeakMap<ApiServer, Map<string, number>>();
  const { call } = ApiServer.prototype;
  ApiServer.prototype.call = function (this: ApiServer, asked) {
    if (asked.options.fieldManager !== "flotilla-simulator") {
      const counted = byServer.get(this) ?? new Map<string, number>();
      byServer.set(this, counted);
      const key = `verb="${verbOf(asked)}",resource="${asked.path.resource}"`;
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
    return call.call(this, asked);
  };
  return byServer;
}

function expositionOf(server: ApiServer): string {
  return [...(counts.get(server) ?? [])].map(([key, times]) => `apiserver_request_total{${key}} ${times}`).join("\n");
}
