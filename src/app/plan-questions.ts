import type { ApiCall, UserInfo } from "#api/meta/api-call.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type PlanSpec, plans } from "#api/plan/plan-resources.ts";
import { type Authorizer, refusal } from "#apiserver/identity/authorize.ts";
import { isJsonObject, type JsonObject } from "#base/json.ts";
import { reportOf } from "#plan/report.ts";
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
  return [{ type: questionType(plans), answer: (call) => answerPlan(planner(), call) }];
}

async function answerPlan(planner: EmbeddedPlanner | undefined, call: ApiCall): Promise<JsonObject> {
  if (planner === undefined) throw StatusError.tooManyRequests("the controllers are not running yet", 1);
  expectReader(planner.authorizer, call.user);
  const { edits, fieldManager = "kubectl", namespace = "default", summary = false } = specOf(call.body);
  const outcome = await planner.plan({ edits, user: call.user, fieldManager, namespace });
  const { totals, templates } = reportOf(outcome);
  const metadata = { name: "plan", resourceVersion: "0" }; // nothing is stored; clients want some
  const status = { totals, templates: summary ? [] : templates };
  // what was just put together is JSON
  return { kind: plans.kind, apiVersion: `${plans.group}/${plans.version}`, metadata, status } as unknown as JsonObject;
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

function questionType({ group, version, kind, resource, namespaced }: ResourceId): ResourceType {
  return {
    ...{ group, version, kind, namespaced, plural: resource },
    listKind: `${kind}List`,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    verbs: ["create"],
    schema: {
      type: "object",
      description: "A question about what changes would do. Nothing is stored.",
      properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    },
    subresources: {},
    strategy: { generation: "none", unconditionalUpdate: true },
    table: { columns: [], cells: () => [] },
    custom: true,
  };
}
