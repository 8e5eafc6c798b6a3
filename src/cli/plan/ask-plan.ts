import type { ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Explanation } from "#api/plan/explanation.ts";
import type { PlanReport } from "#api/plan/plan-report.ts";
import { type ExplanationSpec, explanations, type PlanSpec, plans } from "#api/plan/plan-resources.ts";
import { HintedError } from "#base/hinted-error.ts";
import type { Client, NewObject } from "#client/client.ts";
import type { Connection } from "../connect.ts";
import type { Manifest } from "../manifests.ts";

interface PlanQuestion {
  readonly manifests: readonly Manifest[];
  readonly delete: boolean;
  readonly serverSide: boolean;
  readonly fieldManager: string;
}

/** What the running system says that manifests would do. */
export async function askPlan(
  { client, namespace }: Pick<Connection, "client" | "namespace">,
  { manifests, delete: deletes, serverSide, fieldManager }: PlanQuestion,
): Promise<PlanReport> {
  const edits = manifests.map((manifest) => ({ do: deletes ? ("delete" as const) : ("apply" as const), manifest }));
  const spec: PlanSpec = { edits, serverSide, fieldManager, namespace };
  return (await ask(client, plans, spec)) as PlanReport; // as the server makes it
}

/** What the running system says why something is where it is. */
export async function askWhy(
  { client, namespace }: Pick<Connection, "client" | "namespace">,
  what: Pick<ExplanationSpec, "kind" | "name">,
): Promise<Explanation> {
  return (await ask(client, explanations, { ...what, namespace })) as Explanation; // as above
}

async function ask(client: Client, resource: ResourceId, spec: object): Promise<unknown> {
  const { group, version, kind } = resource;
  const question = { apiVersion: `${group}/${version}`, kind, metadata: {}, spec };
  try {
    return (await client.create(resource, question as NewObject))["status"];
  } catch (error: unknown) {
    throw error instanceof StatusError && error.code === 404 && error.details?.name === undefined ? noPlanner() : error;
  }
}

function noPlanner(): HintedError {
  return new HintedError(
    "cannot ask: this API server answers no plans and explanations",
    "they are made by the embedded control plane, 'flotilla up'",
  );
}
