import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { printKey, type ResourceId } from "#api/meta/resource-id.ts";
import { policyText } from "#api/policy/policy-text.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { policyPendingCondition } from "#api/work/condition-reasons.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { reconcileRequestAnnotation } from "#api/work/template-keys.ts";
import type { Client } from "#client/client.ts";
import type { ServedResource } from "#client/discovery.ts";
import { holderOf } from "../kinds/claims.ts";
import type { Picked } from "./run-waves.ts";

/** Which templates are meant. */
export type Choice =
  | { readonly by: "name"; readonly resource: ResourceId; readonly name: string }
  | { readonly by: "policy"; readonly policy: Policy }
  | { readonly by: "all"; readonly selector?: string };

export interface PickNeeds {
  readonly client: Client;
  readonly served: readonly ServedResource[];
  /** Only this namespace. */
  readonly namespace: string | undefined;
  readonly nowMs: number;
  /** How long ago a request may be whose outcome is still waited for. */
  readonly recentMs: number;
}

/** The templates that wait for their user, that are on their way cluster by cluster, or that somebody asked for just now. */
export async function pickTemplates(choice: Choice, needs: PickNeeds): Promise<readonly Picked[]> {
  const bindings = (await listBindings(needs)).filter((binding) => isConcerned(binding) && isMeant(binding, choice));
  const groups = new Map<string, Binding[]>();
  for (const binding of bindings) {
    const { apiVersion, kind } = binding.spec.resource;
    const key = `${apiVersion} ${kind}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [binding]);
    else group.push(binding);
  }
  const picked = await Promise.all([...groups.values()].map((group) => withTemplates(group, choice, needs)));
  return picked.flat().filter(({ binding, template }) => isOpen(binding) || isRecent(template, needs));
}

/** Bindings whose edited template no policy matches: no request helps them. */
export async function listUnmatched(needs: Pick<PickNeeds, "client" | "namespace">): Promise<readonly string[]> {
  const reason = policyPendingCondition.reasons["no policy matches the edited template"];
  const unmatched = (await listBindings(needs)).filter((each) => conditionOf(each)?.reason === reason);
  return unmatched.map(({ spec }) => nameOf(spec.resource)).toSorted();
}

async function listBindings({ client, namespace }: Pick<PickNeeds, "client" | "namespace">) {
  const kinds =
    namespace === undefined ? [ResourceBindings.namespaced, ResourceBindings.cluster] : [ResourceBindings.namespaced];
  const options = namespace === undefined ? {} : { namespace };
  const lists = await Promise.all(kinds.map((kind) => client.list(resourceOf(kind), options)));
  return lists.flatMap(({ items }) => items) as unknown as readonly Binding[]; // of these kinds
}

/** What waits on a binding. */
function conditionOf({ status }: Binding) {
  return status?.conditions?.find(({ type, status: is }) => type === policyPendingCondition.type && is === "True");
}

function isOpen(binding: Binding): boolean {
  const { reasons } = policyPendingCondition;
  const reason = conditionOf(binding)?.reason;
  return reason !== undefined && reason !== reasons["no policy matches the edited template"];
}

/** What waits, or might be the outcome of an interrupted run: something recorded that is not well yet. */
function isConcerned(binding: Binding): boolean {
  const { spec, status, metadata } = binding;
  if (isOpen(binding)) return true;
  if (spec.activation === undefined || conditionOf(binding) !== undefined) return false;
  return (
    status?.schedulerObservedGeneration !== metadata.generation ||
    (status?.aggregatedStatus ?? []).some(({ applied, health }) => applied !== true || health === "Unhealthy")
  );
}

function isMeant(binding: Binding, choice: Choice): boolean {
  const { resource } = binding.spec;
  switch (choice.by) {
    case "all":
      return true;
    case "name": {
      const { group, version, kind } = choice.resource;
      const apiVersion = group === "" ? version : `${group}/${version}`;
      return resource.name === choice.name && resource.kind === kind && resource.apiVersion === apiVersion;
    }
    case "policy": {
      const text = policyText(choice.policy);
      const { reasons } = policyPendingCondition;
      const { reason, message = "" } = conditionOf(binding) ?? {};
      return reason === reasons["another policy waits"]
        ? message.toLowerCase().startsWith(`${text.toLowerCase()} takes over`)
        : text === policyTextOfHolder(binding);
    }
  }
}

function policyTextOfHolder({ metadata }: Binding): string | undefined {
  const holder = holderOf(metadata);
  return holder && policyText({ metadata: holder });
}

async function withTemplates(
  bindings: readonly Binding[],
  choice: Choice,
  { client, served, namespace }: PickNeeds,
): Promise<readonly Picked[]> {
  const { apiVersion, kind } = bindings[0]!.spec.resource;
  const resource = served.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion);
  if (resource === undefined) return [];
  const labelSelector = choice.by === "all" ? choice.selector : undefined;
  const { items } = await client.list(resource, {
    ...(labelSelector !== undefined && { labelSelector }),
    ...(namespace !== undefined && { namespace }),
  });
  const templates = new Map(items.map((item) => [item.metadata.uid, item]));
  return bindings.flatMap((binding) => {
    const template = templates.get(binding.spec.resource.uid ?? "");
    return template === undefined ? [] : [{ name: nameOf(binding.spec.resource), resource, template, binding }];
  });
}

function isRecent({ metadata }: ApiObject, { nowMs, recentMs }: PickNeeds): boolean {
  const asked = Date.parse(metadata.annotations?.[reconcileRequestAnnotation] ?? "");
  return nowMs - asked < recentMs;
}

function apiVersionOf({ group, version }: ResourceId): string {
  return group === "" ? version : `${group}/${version}`;
}

function nameOf({ kind, namespace, name }: Binding["spec"]["resource"]): string {
  return `${kind} ${printKey({ name, ...(namespace ? { namespace } : {}) })}`;
}
