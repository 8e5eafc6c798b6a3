import type { Draft } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { changeObject } from "#apiserver/write/update.ts";
import { cloneJson, isJsonObject } from "#base/json.ts";
import type { SpecialSubresource } from "./special-subresource.ts";

/** PUT namespaces/<name>/finalize: only spec.finalizers change; when the last one goes, so does a terminating namespace. */
export const namespaceFinalize: SpecialSubresource = {
  of: "/namespaces/finalize",
  listed: { name: "finalize", kind: "Namespace", verbs: ["update"] },
  async serve(core, type, call) {
    if (call.verb !== "update") throw StatusError.methodNotAllowed();
    const spec = isJsonObject(call.body) && isJsonObject(call.body["spec"]) ? call.body["spec"] : {};
    const finalizers = Array.isArray(spec["finalizers"]) ? spec["finalizers"].map(String) : [];
    const request = { type, namespace: undefined, call, warnings: [] };
    const { object } = await changeObject(core, request, (current) => {
      const draft = cloneJson(current) as unknown as Draft; // a private copy
      const { finalizers: _, ...rest } = draft["spec"] ?? {};
      draft["spec"] = finalizers.length === 0 ? rest : { ...rest, finalizers };
      return { draft, conditional: false };
    });
    return { kind: "object", code: 200, object, type, warnings: [] };
  },
};
