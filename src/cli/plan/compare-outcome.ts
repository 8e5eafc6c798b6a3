import { apiVersionOf, resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { PlannedTarget, PlannedTemplate, PlanReport } from "#api/plan/plan-report.ts";
import { bindingNameOf } from "#api/work/derived-names.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { jsonEquals } from "#base/json.ts";
import type { Client } from "#client/client.ts";
import { DiscoveryReader } from "#client/discovery.ts";
import type { Connection } from "../connect.ts";
import { holderOf } from "../kinds/claims.ts";
import { compareCopies } from "./compare-copies.ts";
import { nameOf, targetsText } from "./render-plan.ts";
import { recordWorks, type WorkRecords } from "./work-records.ts";

/** Questions under way at once. */
const atOnce = 16;

interface Compared {
  readonly report: PlanReport;
  /** What was sent where when the plan was made. */
  readonly before: WorkRecords;
}

/** Where what happened is not what was planned, as lines for people: places, policies, and every copy. Empty: nowhere. */
export async function compareOutcome(
  { client, transport }: Pick<Connection, "client" | "transport">,
  { report: { templates }, before }: Compared,
): Promise<readonly string[]> {
  const served = await new DiscoveryReader(transport).resources(new AbortController().signal);
  const lines = [...compareCopies(templates, { before, after: await recordWorks(client) })];
  let next = 0;
  const worker = async () => {
    while (next < templates.length) lines.push(...(await compareTemplate(client, templates[next++]!, served)));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return lines.toSorted();
}

async function compareTemplate(
  client: Client,
  template: PlannedTemplate,
  served: readonly ResourceId[],
): Promise<readonly string[]> {
  const { kind, namespace, name, clusters } = template;
  const binding = { name: bindingNameOf({ kind, name }) };
  const resource = resourceOf(ResourceBindings.kindFor(namespace));
  const found = await client.get(resource, namespace === undefined ? binding : { namespace, ...binding });
  const targets = targetsOf(found);
  const places = jsonEquals(targets, clusters.after)
    ? []
    : [`${nameOf(template)}: planned on ${targetsText(clusters.after)}, is on ${targetsText(targets)}`];
  return [...places, ...(await compareClaim(client, template, served))];
}

/** Only a policy that was to change is looked for. */
async function compareClaim(
  client: Client,
  template: PlannedTemplate,
  served: readonly ResourceId[],
): Promise<readonly string[]> {
  const { apiVersion, kind, namespace, name, policy } = template;
  const resource = served.find((each) => each.kind === kind && printVersion(each) === apiVersion);
  if (policy === undefined || resource === undefined) return [];
  const found = await client.get(resource, namespace === undefined ? { name } : { namespace, name });
  const holder = found && holderOf(found.metadata);
  const [wanted, is] = [policy.after ?? "none", holder === undefined ? "none" : claimText(holder)];
  return wanted === is ? [] : [`${nameOf(template)}: planned to be of ${wanted}, is of ${is}`];
}

function printVersion(resource: ResourceId): string {
  return resource.group === "" ? resource.version : apiVersionOf(resource);
}

function claimText({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return namespace === undefined ? `ClusterPropagationPolicy ${name}` : `PropagationPolicy ${namespace}/${name}`;
}

/** The same places as a plan tells: targets, and where it follows others. */
function targetsOf(object: ApiObject | undefined): readonly PlannedTarget[] {
  const { clusters = [], requiredBy = [] } = (object as unknown as Binding | undefined)?.spec ?? {}; // of either scope
  const all = new Map<string, PlannedTarget>();
  for (const { name, replicas } of [...clusters, ...requiredBy.flatMap((each) => each.clusters ?? [])])
    if (!all.has(name)) all.set(name, replicas === undefined ? { name } : { name, replicas });
  return [...all.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
