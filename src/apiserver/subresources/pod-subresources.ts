import type { ApiCall } from "#api/meta/api-call.ts";
import type { ApiObject, Draft, Fields } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { namedResource } from "#apiserver/core.ts";
import { readDeleteOptions } from "#apiserver/http/deletion-options.ts";
import { storageKey } from "#apiserver/registry.ts";
import { deleteObject } from "#apiserver/write/delete.ts";
import { changeObject, expectSameObject } from "#apiserver/write/update.ts";
import { formatTime } from "#base/clock.ts";
import { fieldErrorMessage, notSupported, required } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import { cloneJson, type JsonObject } from "#base/json.ts";
import { partBody } from "./part-body.ts";
import type { SpecialSubresource } from "./special-subresource.ts";

const success: JsonObject = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };

/** POST pods/<name>/eviction: deletes the pod; kubectl drain asks for it. */
export function podEviction(kind: ResourceType): SpecialSubresource {
  return {
    of: "/pods/eviction",
    listed: { name: "eviction", kind: "Eviction", group: "policy", version: "v1", verbs: ["create"] },
    async serve(core, type, call) {
      if (call.verb !== "create") throw StatusError.methodNotAllowed();
      const eviction = partBody(core, kind, call);
      expectNameOfUrl(eviction, call);
      const { namespace, name } = call.path;
      if (core.store.get(storageKey(type, namespace, name!)) === undefined)
        throw StatusError.notFound(namedResource(type, name));
      const { deletion, dryRun } = readDeleteOptions(new URLSearchParams(), eviction["deleteOptions"]);
      const evicted: ApiCall = {
        ...call,
        options: { ...call.options, deletion, dryRun: dryRun || call.options.dryRun === true },
      };
      await deleteObject(core, { type, namespace, call: evicted, warnings: [] }, name!);
      return { kind: "document", code: 201, document: success };
    },
  };
}

/** POST pods/<name>/binding: a scheduler's verdict on where the pod runs. */
export function podBinding(kind: ResourceType): SpecialSubresource {
  return {
    of: "/pods/binding",
    listed: { name: "binding", kind: "Binding", verbs: ["create"] },
    async serve(core, type, call) {
      if (call.verb !== "create") throw StatusError.methodNotAllowed();
      const binding = partBody(core, kind, call);
      expectNameOfUrl(binding, call);
      const target = expectTarget(binding);
      await changeObject(core, { type, namespace: call.path.namespace, call, warnings: [] }, (pod) => {
        expectSameObject(type, binding, pod);
        return { draft: assigned(pod, target, formatTime(core.clock.nowMs())), conditional: false };
      });
      return { kind: "document", code: 201, document: success };
    },
  };
}

function expectNameOfUrl({ kind, metadata }: Draft, { path }: ApiCall): void {
  if (metadata.name !== path.name) throw StatusError.badRequest(`name in URL does not match name in ${kind} object`);
}

/** The node; what is wrong with it is an internal error to Kubernetes. */
function expectTarget({ target = {} }: Draft): string {
  const { kind, name } = target as Fields; // decoded as such
  const errors = [
    ...(kind && kind !== "Node" ? [notSupported("target.kind", kind, ["Node", "<empty>"])] : []),
    ...(name ? [] : [required("target.name")]),
  ].map(fieldErrorMessage);
  if (errors.length === 0) return String(name);
  throw new StatusError(500, "", errors.length === 1 ? errors[0]! : `[${errors.join(", ")}]`);
}

function assigned(pod: ApiObject, node: string, now: string): Draft {
  const draft = cloneJson(pod) as unknown as Draft; // a private copy
  const refused = unassignable(draft);
  if (refused !== undefined)
    throw StatusError.conflict({ group: "", resource: "pods/binding", name: pod.metadata.name }, refused);
  draft["spec"] = { ...draft["spec"], nodeName: node };
  const others = (draft["status"]?.conditions ?? []).filter(
    (condition: { type: string }) => condition.type !== "PodScheduled",
  );
  const scheduled = { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: now };
  draft["status"] = { ...draft["status"], conditions: [...others, scheduled] };
  return draft;
}

/** Why a pod gets no node. */
function unassignable({ metadata, spec = {} }: Draft): string | undefined {
  const { name, deletionTimestamp } = metadata;
  const { nodeName, schedulingGates } = spec as Fields; // of a pod
  if (deletionTimestamp !== undefined) return `pod ${name} is being deleted, cannot be assigned to a host`;
  if (nodeName) return `pod ${name} is already assigned to node ${goQuote(nodeName)}`;
  return (schedulingGates ?? []).length > 0 ? `pod ${name} has non-empty .spec.schedulingGates` : undefined;
}
