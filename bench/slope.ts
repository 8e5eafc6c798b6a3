import { writeFileSync } from "node:fs";
import type { Client } from "#client/client.ts";
import type { BenchRow } from "./bench-row.ts";
import type { BenchFlags } from "./flags.ts";
import { clustersReady, until } from "./fleet-state.ts";
import { clientOf, inScratchFolder, openFleet } from "./open-fleet.ts";
import { countArrivals, editPolicy, excludeTemplates, fill, measure, totalOf } from "./scale.ts";
import { renderPlot } from "./svg-plot.ts";

/** Changes that concern few templates, whatever else there is. */
const changes: readonly (readonly [string, (client: Client) => Promise<unknown>, number])[] = [
  ["one template edited", editTemplate, 1],
  ["one policy edited, 10 templates", editPolicy, 10],
  ["one exclude edited, 10 templates", excludeTemplates, 10],
];

/** What small changes cost in fleets of growing size, as rows and as a plot: flat is what they should be. */
export async function slopeBenchmarks({ sizes, plot }: BenchFlags): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  const lines = new Map<string, { readonly x: number; readonly y: number }[]>(changes.map(([name]) => [name, []]));
  for (const namespaces of sizes) {
    for (const [name, { value, note }] of await measureSize(namespaces)) {
      const total = totalOf(namespaces);
      rows.push({
        name: `${total.toLocaleString("en")} templates: ${name}`,
        value,
        unit: "ms",
        ...(note && { note }),
      });
      lines.get(name)?.push({ x: total, y: value });
    }
  }
  if (plot !== undefined)
    writeFileSync(plot, renderPlot({ title: "What a small change costs", lines, x: "templates", y: "ms" }));
  return rows;
}

function measureSize(namespaces: number): Promise<ReadonlyMap<string, BenchRow>> {
  return inScratchFolder(async (directory) => {
    await using fleet = await openFleet({ members: ["m1"], directory });
    await until(() => clustersReady(fleet, 1));
    const arrived = countArrivals(fleet);
    await fill(clientOf(fleet), namespaces);
    await until(() => arrived() === totalOf(namespaces), 3_600_000);
    const found = new Map<string, BenchRow>();
    for (const [name, change, bound] of changes)
      found.set(name, await measure(fleet, { name, change, about: /(^|[/.])few-/, bound }));
    return found;
  });
}

function editTemplate(client: Client): Promise<unknown> {
  const configMaps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", namespaced: true };
  return client.patch(
    configMaps,
    { namespace: "n0", name: "few-0" },
    { type: "merge", patch: { data: { new: "yes" } } },
  );
}
