import type { ApiObject } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { PlanReport } from "#api/plan/plan-report.ts";
import { type PlanSpec, plans } from "#api/plan/plan-resources.ts";
import { HintedError } from "#base/hinted-error.ts";
import type { NewObject } from "#client/client.ts";
import type { Connection } from "../connect.ts";
import type { Manifest } from "../manifests.ts";

interface PlanQuestion {
  readonly manifests: readonly Manifest[];
  readonly delete: boolean;
  readonly fieldManager: string;
}

/** What the running system says that manifests would do. */
export async function askPlan(
  { client, namespace }: Pick<Connection, "client" | "namespace">,
  { manifests, delete: deletes, fieldManager }: PlanQuestion,
): Promise<PlanReport> {
  const edits = manifests.map((manifest) => ({ do: deletes ? ("delete" as const) : ("apply" as const), manifest }));
  const spec: PlanSpec = { edits, fieldManager, namespace };
  const question = { apiVersion: `${plans.group}/${plans.version}`, kind: plans.kind, metadata: {}, spec };
  try {
    const answer = await client.create(plans, question as NewObject);
    return (answer as ApiObject)["status"] as PlanReport; // as the server makes it
  } catch (error: unknown) {
    throw error instanceof StatusError && error.code === 404 && error.details?.name === undefined ? noPlanner() : error;
  }
}

function noPlanner(): HintedError {
  return new HintedError(
    "cannot plan: this API server does not answer plans",
    "plans are made by the embedded control plane, 'flotilla up'",
  );
}
