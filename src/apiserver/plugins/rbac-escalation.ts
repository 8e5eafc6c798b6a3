import { StatusError } from "#api/meta/status-error.ts";
import type { AdmissionPlugin, AdmissionRequest } from "#apiserver/admission.ts";
import { namedResource } from "#apiserver/core.ts";
import type { Authorizer } from "#apiserver/identity/authorize.ts";
import { type PolicyRule, rulesCover } from "#apiserver/identity/policy-rules.ts";

const group = "rbac.authorization.k8s.io";

/** Nobody grants more than they have, unless they hold the verb `escalate` or `bind` for it. */
export function rbacEscalation(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: "rbac-escalation",
    validate(request) {
      const { type, operation, object, old } = request;
      if (type.group !== group || operation === "DELETE" || object === undefined) return undefined;
      if (type.plural === "roles" || type.plural === "clusterroles") {
        const same = old !== undefined && JSON.stringify(old["rules"]) === JSON.stringify(object["rules"]);
        if (!same)
          expectHeld(authorizer, request, {
            rules: (object["rules"] ?? []) as readonly PolicyRule[],
            verb: "escalate",
          }); // validated
        return undefined;
      }
      const roleRef = object["roleRef"] as { kind: string; name: string }; // validated before
      const rules = authorizer.rulesOfRole(roleRef, request.namespace) ?? [];
      expectHeld(authorizer, request, { rules, verb: "bind", role: roleRef });
      return undefined;
    },
  };
}

interface Grant {
  readonly rules: readonly PolicyRule[];
  readonly verb: "escalate" | "bind";
  readonly role?: { readonly kind: string; readonly name: string };
}

function expectHeld(authorizer: Authorizer, request: AdmissionRequest, { rules, verb, role }: Grant): void {
  const { user, type, namespace, name } = request;
  const resource = role === undefined ? type.plural : role.kind === "ClusterRole" ? "clusterroles" : "roles";
  if (authorizer.allows(user, { verb, group, resource, namespace, name: role?.name ?? name })) return;
  const held = authorizer.rulesFor(user, namespace);
  const missing = rules.filter((rule) => !rulesCover(held, rule));
  if (missing.length === 0) return;
  const list = missing.map((rule) => JSON.stringify(rule)).join("\n");
  throw StatusError.forbidden(
    namedResource(type, name),
    `user ${JSON.stringify(user.name)} (groups=${JSON.stringify(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${list}`,
  );
}
