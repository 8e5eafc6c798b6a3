import type { ApiCall } from "#api/meta/api-call.ts";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { readDeleteOptions } from "#apiserver/http/deletion-options.ts";
import { deleteObject } from "#apiserver/write/delete.ts";
import { changeObject } from "#apiserver/write/update.ts";
import { formatTime } from "#base/clock.ts";
import { cloneJson, isJsonObject, type JsonObject } from "#base/json.ts";
import type { SpecialSubresource } from "./special-subresource.ts";

const success: JsonObject = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };

/** POST pods/<name>/eviction: deletes the pod; kubectl drain asks for it. */
export const podEviction: SpecialSubresource = {
  of: "/pods/eviction",
  listed: { name: "eviction", kind: "Eviction", group: "policy", version: "v1", verbs: ["create"] },
  async serve(core, type, call) {
    if (call.verb !== "create") throw StatusError.methodNotAllowed();
    const body = isJsonObject(call.body) ? call.body : {};
    const { deletion, dryRun } = readDeleteOptions(new URLSearchParams(), body["deleteOptions"]);
    const evicted: ApiCall = {
      ...call,
      options: { ...call.options, deletion, dryRun: dryRun || call.options.dryRun === true },
    };
    await deleteObject(core, { type, namespace: call.path.namespace, call: evicted, warnings: [] }, call.path.name!);
    return { kind: "document", code: 201, document: success };
  },
};

/** POST pods/<name>/binding: a scheduler's verdict on where the pod runs. */
export const podBinding: SpecialSubresource = {
  of: "/pods/binding",
  listed: { name: "binding", kind: "Binding", verbs: ["create"] },
  async serve(core, type, call) {
    if (call.verb !== "create") throw StatusError.methodNotAllowed();
    const target =
      isJsonObject(call.body) && isJsonObject(call.body["target"]) ? call.body["target"]["name"] : undefined;
    if (typeof target !== "string" || target === "") {
      throw StatusError.invalid({ group: "", resource: "Binding", name: call.path.name }, [
        { path: "target.name", type: "required", detail: "" },
      ]);
    }
    await changeObject(core, { type, namespace: call.path.namespace, call, warnings: [] }, (pod) => ({
      draft: assigned(pod, target, formatTime(core.clock.nowMs())),
      conditional: false,
    }));
    return { kind: "document", code: 201, document: success };
  },
};

function assigned(pod: ApiObject, node: string, now: string): Draft {
  const draft = cloneJson(pod) as unknown as Draft; // a private copy
  if (draft["spec"]?.nodeName) {
    throw StatusError.conflict(
      { group: "", resource: "pods/binding", name: pod.metadata.name },
      `pod ${pod.metadata.name} is already assigned to node "${draft["spec"].nodeName}"`,
    );
  }
  draft["spec"] = { ...draft["spec"], nodeName: node };
  const others = (draft["status"]?.conditions ?? []).filter(
    (condition: { type: string }) => condition.type !== "PodScheduled",
  );
  const scheduled = { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: now };
  draft["status"] = { ...draft["status"], conditions: [...others, scheduled] };
  return draft;
}
