import type { UserInfo } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Store } from "#storage/store.ts";
import { type Attributes, type PolicyRule, ruleAllows } from "./policy-rules.ts";

interface Grant {
  /** Undefined: everywhere. */
  readonly namespace: string | undefined;
  readonly rules: readonly PolicyRule[];
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

interface Binding extends ApiObject {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly Subject[];
}

const group = "rbac.authorization.k8s.io";
const kinds = ["roles", "clusterroles", "rolebindings", "clusterrolebindings"] as const;

/**
 * RBAC over the stored roles and bindings. What a subject may do is looked up by its name and groups in an index that is built
 * again only after some role or binding changed.
 */
export class Authorizer {
  readonly #store: Store<ApiObject>;
  readonly #stops: (() => void)[];
  #grants: ReadonlyMap<string, readonly Grant[]> | undefined;

  constructor(store: Store<ApiObject>) {
    this.#store = store;
    this.#stops = kinds.map((plural) => {
      const deliver = () => {
        this.#grants = undefined;
      };
      const subscription = store.watch({ prefix: `${group}/${plural}/`, after: store.revision, deliver });
      return subscription.ok ? subscription.stop : () => {};
    });
  }

  allows(user: UserInfo, attributes: Attributes): boolean {
    if (user.groups.includes("system:masters")) return true;
    const namespace = "path" in attributes ? undefined : attributes.namespace;
    return this.rulesFor(user, namespace).some((rule) => ruleAllows(rule, attributes));
  }

  /** All rules that count for a user in a namespace (or, without one, in the cluster). */
  rulesFor(user: UserInfo, namespace: string | undefined): readonly PolicyRule[] {
    if (user.groups.includes("system:masters")) return everything;
    this.#grants ??= this.#index();
    const subjects = [`User:${user.name}`, ...user.groups.map((name) => `Group:${name}`)];
    return subjects
      .flatMap((subject) => this.#grants?.get(subject) ?? [])
      .filter((grant) => grant.namespace === undefined || grant.namespace === namespace)
      .flatMap((grant) => grant.rules);
  }

  /** The rules of a role as a binding refers to it; undefined when it does not exist. */
  rulesOfRole(
    roleRef: { readonly kind: string; readonly name: string },
    namespace: string | undefined,
  ): readonly PolicyRule[] | undefined {
    const key =
      roleRef.kind === "ClusterRole"
        ? `${group}/clusterroles/${roleRef.name}`
        : `${group}/roles/${namespace ?? ""}/${roleRef.name}`;
    const role = this.#store.get(key)?.value;
    // validated when stored; an aggregated role has its rules written onto it by housekeeping
    return role === undefined ? undefined : ((role["rules"] ?? []) as readonly PolicyRule[]);
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #index(): ReadonlyMap<string, readonly Grant[]> {
    const grants = new Map<string, Grant[]>();
    for (const plural of ["clusterrolebindings", "rolebindings"]) {
      for (const binding of this.#list<Binding>(plural)) {
        const { namespace } = binding.metadata;
        const rules = this.rulesOfRole(binding.roleRef, namespace);
        if (rules === undefined || rules.length === 0) continue;
        for (const subject of binding.subjects ?? []) {
          const key = subjectKey(subject, namespace);
          grants.set(key, [...(grants.get(key) ?? []), { namespace, rules }]);
        }
      }
    }
    return grants;
  }

  #list<T extends ApiObject>(plural: string): readonly T[] {
    const result = this.#store.list({ prefix: `${group}/${plural}/` });
    return result.ok ? result.entries.map((entry) => entry.value as T) : []; // the present is always kept
  }
}

const everything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

function subjectKey({ kind, name, namespace }: Subject, bindingNamespace: string | undefined): string {
  return kind === "ServiceAccount"
    ? `User:system:serviceaccount:${namespace ?? bindingNamespace ?? ""}:${name}`
    : `${kind}:${name}`;
}

/** 403 in the words of Kubernetes. */
export function refusal(user: UserInfo, attributes: Attributes): StatusError {
  if ("path" in attributes) {
    const message = `forbidden: User ${JSON.stringify(user.name)} cannot ${attributes.verb} path ${JSON.stringify(attributes.path)}`;
    return new StatusError(403, "Forbidden", message, {});
  }
  const { verb, resource, subresource, namespace, name } = attributes;
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const where =
    namespace === undefined || namespace === "" ? "at the cluster scope" : `in the namespace "${namespace}"`;
  return StatusError.forbidden(
    { group: attributes.group, resource, name },
    `User ${JSON.stringify(user.name)} cannot ${verb} resource "${full}" in API group "${attributes.group}" ${where}`,
  );
}
