import type { LabelSelector } from "#api/meta/label-selector.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";

/** One webhook of a configuration, defaults filled in. */
export interface Webhook {
  readonly name: string;
  readonly clientConfig: {
    readonly url?: string;
    readonly service?: {
      readonly namespace: string;
      readonly name: string;
      readonly path?: string;
      readonly port?: number;
    };
    readonly caBundle?: string;
  };
  readonly rules?: readonly WebhookRule[];
  readonly failurePolicy?: "Fail" | "Ignore";
  readonly matchPolicy?: "Exact" | "Equivalent";
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly sideEffects: string;
  readonly timeoutSeconds?: number;
  readonly reinvocationPolicy?: "Never" | "IfNeeded";
  readonly matchConditions?: readonly unknown[];
}

export interface WebhookRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
}

export interface WebhookConfiguration extends ApiObject {
  readonly webhooks?: readonly Webhook[];
}

export type WebhookPhase = "mutate" | "validate";

/** Where the configurations of a phase are kept. */
export const configurationPrefix: Readonly<Record<WebhookPhase, string>> = {
  mutate: "admissionregistration.k8s.io/mutatingwebhookconfigurations/",
  validate: "admissionregistration.k8s.io/validatingwebhookconfigurations/",
};
