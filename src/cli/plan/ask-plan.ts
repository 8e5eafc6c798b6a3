import type { ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Explanation } from "#api/plan/explanation.ts";
import type { PlanReport } from "#api/plan/plan-report.ts";
import { type ExplanationSpec, explanations, type PlanSpec, planPatience, plans } from "#api/plan/plan-resources.ts";
import type { LocalPlanner } from "#app/local-planner.ts";
import type { NewObject } from "#client/client.ts";
import type { AccessFlags } from "../access-flags.ts";
import type { Output } from "../command.ts";
import type { Connection } from "../connect.ts";
import type { Manifest } from "../manifests.ts";

interface PlanQuestion {
  readonly manifests: readonly Manifest[];
  readonly delete: boolean;
  readonly serverSide: boolean;
  readonly fieldManager: string;
}

/** Who is asked, and by whom. */
export interface Asking {
  readonly connection: Connection;
  readonly flags: AccessFlags & { readonly featureGates?: string };
  readonly output: Output;
}

/** What manifests would do: as the server says, or where it makes no plans, as the same decisions say that are made here. */
export async function askPlan(
  asking: Asking,
  { manifests, delete: deletes, serverSide, fieldManager }: PlanQuestion,
): Promise<PlanReport> {
  const { namespace } = asking.connection;
  const edits = manifests.map((manifest) => ({ do: deletes ? ("delete" as const) : ("apply" as const), manifest }));
  const spec = { edits, serverSide, fieldManager, namespace } satisfies PlanSpec;
  const answer = await ask(asking, plans, spec);
  if (answer !== undefined) return answer as PlanReport; // as the server makes it
  await using planner = await here(asking);
  return await planner.plan(spec);
}

/** Why something is where it is, as above. */
export async function askWhy(asking: Asking, what: Pick<ExplanationSpec, "kind" | "name">): Promise<Explanation> {
  const spec = { ...what, namespace: asking.connection.namespace };
  const answer = await ask(asking, explanations, spec);
  if (answer !== undefined) return answer as Explanation; // as above
  await using planner = await here(asking);
  return planner.explain(spec);
}

async function here(asking: Asking): Promise<LocalPlanner> {
  const { planHere } = await import("./plan-here.ts");
  return planHere(asking);
}

/** Undefined when the server has no answers to such questions. */
async function ask({ connection, flags, output }: Asking, resource: ResourceId, spec: object): Promise<unknown> {
  const { group, version, kind } = resource;
  const question = { apiVersion: `${group}/${version}`, kind, metadata: {}, spec };
  try {
    const answer = await connection.client.create(resource, question as NewObject, planPatience);
    if (flags.featureGates !== undefined)
      output.note("note: --feature-gates says nothing here: the server knows its own");
    return answer["status"];
  } catch (error: unknown) {
    if (error instanceof StatusError && !(await isServed(connection, { resource, error }))) return undefined;
    throw error;
  }
}

/** Whether it is the thing asked about that is missing or forbidden, or the question that the server does not know. */
async function isServed(
  { transport }: Connection,
  { resource: { group, version }, error }: { readonly resource: ResourceId; readonly error: StatusError },
): Promise<boolean> {
  if (error.code === 404) return error.details?.name !== undefined;
  if (error.code !== 403) return true;
  // whoever may not create what is not there is forbidden to, before anybody looks
  return transport.document(`/apis/${group}/${version}`).then(
    () => true,
    () => false,
  );
}
