import { selectsLabels } from "#api/meta/label-selector.ts";
import type { AdmissionRequest } from "#apiserver/admission.ts";
import type { Webhook, WebhookRule } from "./webhook-configuration.ts";

type Labels = Readonly<Record<string, string>> | undefined;

/** Whether a webhook wants to see a request. `namespaceLabels` are those of the request's namespace, or of the namespace it is about. */
export function webhookMatches(webhook: Webhook, request: AdmissionRequest, namespaceLabels: Labels): boolean {
  if (!(webhook.rules ?? []).some((rule) => ruleMatches(rule, request))) return false;
  const isClusterScoped = request.namespace === undefined && request.type.plural !== "namespaces";
  if (!isClusterScoped && !selectsLabels(webhook.namespaceSelector ?? {}, namespaceLabels)) return false;
  const selector = webhook.objectSelector ?? {};
  const { object, old } = request;
  const present = [object?.metadata.labels, old?.metadata.labels].filter(
    (_, index) => (index === 0 ? object : old) !== undefined,
  );
  return present.some((labels) => selectsLabels(selector, labels));
}

function ruleMatches(rule: WebhookRule, { operation, type, subresource }: AdmissionRequest): boolean {
  const scope = rule.scope ?? "*";
  return (
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, type.group) &&
    includes(rule.apiVersions, type.version) &&
    (scope === "*" || (scope === "Namespaced") === type.namespaced) &&
    (rule.resources ?? []).some((pattern) => resourceMatches(pattern, type.plural, subresource))
  );
}

/** `pods`, `pods/status`, `pods/*`, `*`, `*` with a subresource. */
function resourceMatches(pattern: string, plural: string, subresource: string | undefined): boolean {
  const [resource, sub] = pattern.split("/");
  if (resource !== "*" && resource !== plural) return false;
  if (sub === undefined) return subresource === undefined;
  return sub === "*" || sub === subresource;
}

function includes(list: readonly string[] | undefined, value: string): boolean {
  return list !== undefined && (list.includes("*") || list.includes(value));
}
