import { executionNamespaceOf } from "#api/cluster/namespaces.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { PlannedTarget, PlannedTemplate, PlanReport } from "#api/plan/plan-report.ts";
import { bindingNameOf, workNameOf } from "#api/work/derived-names.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { Works } from "#api/work/work.ts";
import { jsonEquals } from "#base/json.ts";
import type { Client } from "#client/client.ts";
import { nameOf, targetsText } from "./render-plan.ts";

const works = resourceOf(Works);
/** Questions under way at once. */
const atOnce = 16;

/** Where what happened is not what was planned, as lines for people; empty: nowhere. */
export async function compareOutcome(client: Client, { templates }: PlanReport): Promise<readonly string[]> {
  const lines: string[] = [];
  let next = 0;
  const worker = async () => {
    while (next < templates.length) lines.push(...(await compareTemplate(client, templates[next++]!)));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return lines.toSorted();
}

async function compareTemplate(client: Client, template: PlannedTemplate): Promise<readonly string[]> {
  const { kind, namespace, name, clusters, objects } = template;
  const subject = nameOf(template);
  const binding = { name: bindingNameOf({ kind, name }) };
  const resource = resourceOf(ResourceBindings.kindFor(namespace));
  const found = await client.get(resource, namespace === undefined ? binding : { namespace, ...binding });
  const targets = targetsOf(found);
  const moved = jsonEquals(targets, clusters.after)
    ? []
    : [`${subject}: planned on ${targetsText(clusters.after)}, is on ${targetsText(targets)}`];
  const copies = await Promise.all(
    objects.map(async ({ cluster, does }) => {
      const key = { namespace: executionNamespaceOf(cluster), name: workNameOf({ kind, name, namespace }) };
      const isThere = (await client.get(works, key)) !== undefined;
      const isPlanned = does === "creates" || does === "changes";
      if (isThere === isPlanned) return [];
      return [
        `${subject} in ${cluster}: planned to be ${isPlanned ? "there" : "gone"}, is ${isThere ? "there" : "gone"}`,
      ];
    }),
  );
  return [...moved, ...copies.flat()];
}

/** The same places as a plan tells: targets, and where it follows others. */
function targetsOf(object: ApiObject | undefined): readonly PlannedTarget[] {
  const { clusters = [], requiredBy = [] } = (object as unknown as Binding | undefined)?.spec ?? {}; // of either scope
  const all = new Map<string, PlannedTarget>();
  for (const { name, replicas } of [...clusters, ...requiredBy.flatMap((each) => each.clusters ?? [])])
    if (!all.has(name)) all.set(name, replicas === undefined ? { name } : { name, replicas });
  return [...all.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
