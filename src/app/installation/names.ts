import { systemNamespace } from "#api/cluster/namespaces.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";

/** What says that an object is ours to change and to remove. */
export const installedLabels = { "app.kubernetes.io/managed-by": "flotilla", "app.kubernetes.io/part-of": "flotilla" };

/** Whether an object is ours to change and to remove. */
export function isInstalled({ metadata }: Pick<ApiObject, "metadata">): boolean {
  return Object.entries(installedLabels).every(([key, value]) => metadata.labels?.[key] === value);
}

/** Who the controllers are. */
export const controllersAccount = "flotilla-controllers";
/** Who the webhook is; its Service has the same name. */
export const webhookAccount = "flotilla-webhook";
/** Of the configurations that send writes to the webhook. */
export const webhookConfiguration = "flotilla";
/** The secret in which the replicas of the webhook share their certificate. */
export const webhookCertificateSecret = "flotilla-webhook-certificate";
/** By which API servers reach the Service. */
export const serviceNames = [`${webhookAccount}.${systemNamespace}.svc`, `${webhookAccount}.${systemNamespace}`];
/** The port of the webhook's Service. */
export const webhookServicePort = 443;
