import type { ApiObject } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { AdmissionPlugin } from "#apiserver/admission.ts";
import { namedResource } from "#apiserver/core.ts";
import type { Store } from "#storage/store.ts";

const immortal: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

/** Nothing is created where there is no namespace or where it is being emptied; the namespaces that everything needs stay. */
export function namespaceLifecycle(store: Store<ApiObject>): AdmissionPlugin {
  return {
    name: "namespace-lifecycle",
    mutate({ operation, type, namespace, name, subresource }) {
      if (operation === "DELETE") {
        if (type.plural !== "namespaces" || type.group !== "" || !immortal.has(name)) return undefined;
        throw StatusError.forbidden(namedResource(type, name), "this namespace may not be deleted");
      }
      if (operation !== "CREATE" || namespace === undefined || subresource !== undefined) return undefined;
      const found = store.get(`/namespaces/${namespace}`)?.value;
      if (found === undefined) throw StatusError.notFound({ group: "", resource: "namespaces", name: namespace });
      if (found.metadata.deletionTimestamp === undefined) return undefined;
      const message = `unable to create new content in namespace ${namespace} because it is being terminated`;
      const refused = StatusError.forbidden(namedResource(type, name), message);
      throw new StatusError(refused.code, refused.reason, refused.message, {
        ...refused.details,
        causes: [
          {
            reason: "NamespaceTerminating",
            message: `namespace ${namespace} is being terminated`,
            field: "metadata.namespace",
          },
        ],
      });
    },
  };
}
