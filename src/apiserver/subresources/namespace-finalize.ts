import { qualifiedNameErrors } from "#api/meta/names.ts";
import type { Draft } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { decodeObject } from "#apiserver/write/decode-object.ts";
import { changeObject, expectName, expectRevision, expectSameObject } from "#apiserver/write/update.ts";
import { refuseInvalid } from "#apiserver/write/write-request.ts";
import { type FieldError, invalid } from "#base/field-error.ts";
import { cloneJson } from "#base/json.ts";
import type { SpecialSubresource } from "./special-subresource.ts";

/** PUT namespaces/<name>/finalize: only spec.finalizers change; when the last one goes, so does a terminating namespace. */
export const namespaceFinalize: SpecialSubresource = {
  of: "/namespaces/finalize",
  listed: { name: "finalize", kind: "Namespace", verbs: ["update"] },
  async serve(core, type, call) {
    if (call.verb !== "update") throw StatusError.methodNotAllowed();
    const request = { type, namespace: undefined, call, warnings: call.remarks ?? [] };
    const { draft: sent, warnings } = decodeObject(type, call, core);
    request.warnings.push(...warnings);
    expectName(request, sent);
    const finalizers: readonly string[] = sent["spec"]?.finalizers ?? [];
    const { object } = await changeObject(core, request, (current) => {
      expectSameObject(type, sent, current);
      expectRevision(type, sent.metadata.resourceVersion, current);
      refuseInvalid(type, current.metadata.name, finalizers.flatMap(finalizerErrors));
      const draft = cloneJson(current) as unknown as Draft; // a private copy
      const { finalizers: _, ...rest } = draft["spec"] ?? {};
      draft["spec"] = finalizers.length === 0 ? rest : { ...rest, finalizers };
      return { draft, conditional: false };
    });
    return { kind: "object", code: 200, object, type, warnings: request.warnings };
  },
};

function finalizerErrors(finalizer: string, index: number): FieldError[] {
  const path = `spec.finalizers[${index}]`;
  const errors = qualifiedNameErrors(finalizer).map((problem) => invalid(path, finalizer, problem));
  if (finalizer.includes("/") || finalizer === "kubernetes") return errors;
  return [...errors, invalid(path, finalizer, "name is neither a standard finalizer name nor is it fully qualified")];
}
