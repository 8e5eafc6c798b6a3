import type { ApiCall, UserInfo } from "#api/meta/api-call.ts";
import { bodyType } from "#api/meta/body-type.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { explanations, type PlanSpec, plans } from "#api/plan/plan-resources.ts";
import { type Authorizer, refusal } from "#apiserver/identity/authorize.ts";
import { isJsonObject, type JsonObject } from "#base/json.ts";
import { reportOf } from "#plan/report.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import type { QuestionKind } from "./embedded-cluster.ts";
import type { EmbeddedPlanner } from "./embedded-planner.ts";

/** Whoever may read these knows everything that a plan tells: works carry whatever is sent. */
const read: readonly { readonly group: string; readonly resource: string }[] = [
  { group: "policy.karmada.io", resource: "propagationpolicies" },
  { group: "policy.karmada.io", resource: "clusterpropagationpolicies" },
  { group: "work.karmada.io", resource: "resourcebindings" },
  { group: "work.karmada.io", resource: "clusterresourcebindings" },
  { group: "work.karmada.io", resource: "works" },
  { group: "cluster.karmada.io", resource: "clusters" },
];

/** The questions that a running fleet answers about itself; none before it runs. */
export function planQuestions(planner: () => EmbeddedPlanner | undefined): readonly QuestionKind[] {
  const ask = (answer: (planner: EmbeddedPlanner, call: ApiCall) => Promise<JsonObject>) => async (call: ApiCall) => {
    const running = planner();
    if (running === undefined) throw StatusError.tooManyRequests("the controllers are not running yet", 1);
    expectReader(running.authorizer, call.user);
    return answer(running, call);
  };
  return [
    { type: questionType(plans), answer: ask(answerPlan) },
    { type: questionType(explanations), answer: ask(answerWhy) },
  ];
}

async function answerWhy(planner: EmbeddedPlanner, { body }: ApiCall): Promise<JsonObject> {
  const spec = isJsonObject(body) && isJsonObject(body["spec"]) ? body["spec"] : {};
  const { kind, name, namespace } = spec;
  if (typeof kind !== "string" || typeof name !== "string")
    throw StatusError.badRequest("cannot explain: spec needs kind and name");
  const what = { kind, name, ...(typeof namespace === "string" && { namespace }) };
  return answered(explanations, planner.explain(what));
}

/** Nothing is stored; clients want some metadata nevertheless. */
function answered({ group, version, kind }: ResourceId, status: object): JsonObject {
  const metadata = { name: "answer", resourceVersion: "0" };
  return { kind, apiVersion: `${group}/${version}`, metadata, status: status as JsonObject }; // put together as JSON
}

async function answerPlan(planner: EmbeddedPlanner, call: ApiCall): Promise<JsonObject> {
  const {
    edits,
    fieldManager = "kubectl",
    namespace = "default",
    serverSide = false,
    summary = false,
  } = specOf(call.body);
  const outcome = await planner.plan({ edits, user: call.user, fieldManager, serverSide, namespace });
  const report = reportOf(outcome);
  return answered(plans, summary ? { ...report, templates: [] } : report);
}

function expectReader(authorizer: Authorizer, user: UserInfo): void {
  for (const each of read) {
    const attributes = { verb: "list", ...each, subresource: undefined, namespace: undefined, name: undefined };
    if (!authorizer.allows(user, attributes)) throw refusal(user, attributes);
  }
}

function specOf(body: unknown): PlanSpec {
  const spec = isJsonObject(body) ? body["spec"] : undefined;
  const edits = isJsonObject(spec) ? spec["edits"] : undefined;
  if (!Array.isArray(edits) || !edits.every(isEdit))
    throw StatusError.badRequest("cannot plan: spec.edits must be a list of { do: apply or delete, manifest }");
  return spec as unknown as PlanSpec; // as was just seen
}

function isEdit(edit: unknown): boolean {
  if (!isJsonObject(edit) || (edit["do"] !== "apply" && edit["do"] !== "delete")) return false;
  const { manifest } = edit;
  if (!isJsonObject(manifest) || !isJsonObject(manifest["metadata"])) return false;
  return [manifest["apiVersion"], manifest["kind"], manifest["metadata"]["name"]].every(
    (each) => typeof each === "string" && each !== "",
  );
}

function questionType(id: ResourceId): ResourceType {
  const schema: SchemaNode = {
    type: "object",
    description: "A question, answered in its status. Nothing is stored.",
    properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
  };
  return bodyType(id, { schema, custom: true });
}
