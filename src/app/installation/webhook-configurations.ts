import { Clusters } from "#api/cluster/cluster.ts";
import { systemNamespace } from "#api/cluster/namespaces.ts";
import { ResourceInterpreterCustomizations } from "#api/config/resource-interpreter-customization.ts";
import type { Kind } from "#api/kind.ts";
import { ClusterTaintPolicies } from "#api/policy/cluster-taint-policy.ts";
import { OverridePolicies } from "#api/policy/override-policy.ts";
import { PropagationPolicies } from "#api/policy/propagation-policy.ts";
import { ResourceBindings } from "#api/work/resource-binding.ts";
import { deletionProtectedLabel } from "#api/work/template-keys.ts";
import { Works } from "#api/work/work.ts";
import type { NewObject } from "#client/client.ts";
import {
  controllersAccount,
  installedLabels,
  webhookAccount,
  webhookConfiguration,
  webhookServicePort,
} from "./names.ts";

/** Where the webhook is: at an address, or behind its Service when there is none. */
export interface WebhookPlace {
  readonly url?: string | undefined;
}

const twins = ({ namespaced, cluster }: { readonly namespaced: Kind; readonly cluster: Kind }) => [namespaced, cluster];
const policies = [PropagationPolicies, OverridePolicies].flatMap(twins);
const bindings = twins(ResourceBindings);
const completed = [...policies, Clusters] as const satisfies readonly Kind[];
const judged = [
  ...policies,
  Clusters,
  ClusterTaintPolicies,
  ResourceInterpreterCustomizations,
] as const satisfies readonly Kind[];

/**
 * Works and bindings are made by the controllers, thousands of them at once, and the controllers complete and judge them before they
 * write (`admitted-writes.ts`): they are asked about when anybody else writes them.
 */
const byOthers = {
  matchConditions: [
    {
      name: "not-by-the-controllers",
      expression: `request.userInfo.username != 'system:serviceaccount:${systemNamespace}:${controllersAccount}'`,
    },
  ],
};

/** The paths that the webhook answers at. */
export const webhookPaths = { mutate: "/mutate", validate: "/validate" } as const;

/**
 * Sends the writes of our kinds to the webhook, and deletions of what is protected. All fail closed: without the webhook no policy,
 * work or binding is written, but by the controllers themselves. Other kinds are not affected, unless they are protected and to be deleted.
 */
export function webhookConfigurations(place: WebhookPlace): readonly NewObject[] {
  const webhook = (path: string) => ({
    clientConfig: clientConfig(place, path),
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    timeoutSeconds: 10,
  });
  const { mutate, validate } = webhookPaths;
  return [
    {
      ...head("MutatingWebhookConfiguration"),
      webhooks: [
        {
          name: "complete.flotilla.karmada.io",
          ...webhook(mutate),
          rules: rulesFor(completed),
          reinvocationPolicy: "Never",
        },
        {
          name: "complete-work.flotilla.karmada.io",
          ...webhook(mutate),
          ...byOthers,
          rules: rulesFor([...bindings, Works]),
          reinvocationPolicy: "Never",
        },
      ],
    },
    {
      ...head("ValidatingWebhookConfiguration"),
      webhooks: [
        { name: "judge.flotilla.karmada.io", ...webhook(validate), rules: rulesFor(judged) },
        { name: "judge-work.flotilla.karmada.io", ...webhook(validate), ...byOthers, rules: rulesFor(bindings) },
        {
          name: "protect.flotilla.karmada.io",
          ...webhook(validate),
          rules: [{ operations: ["DELETE"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], scope: "*" }],
          objectSelector: { matchLabels: { [deletionProtectedLabel]: "Always" } },
        },
      ],
    },
  ];
}

function clientConfig({ url }: WebhookPlace, path: string) {
  if (url !== undefined) return { url: `${url.replace(/\/+$/, "")}${path}` };
  return { service: { namespace: systemNamespace, name: webhookAccount, path, port: webhookServicePort } };
}

function head(kind: string) {
  const metadata = { name: webhookConfiguration, labels: installedLabels };
  return { apiVersion: "admissionregistration.k8s.io/v1", kind, metadata };
}

function rulesFor(kinds: readonly Kind[]) {
  return kinds.map(({ group, version, plural }) => ({
    operations: ["CREATE", "UPDATE"],
    apiGroups: [group],
    apiVersions: [version],
    resources: [plural],
    scope: "*",
  }));
}
