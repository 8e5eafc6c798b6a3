import { clusterNamespace, systemNamespace } from "#api/cluster/namespaces.ts";
import { type KubernetesKind, kubernetesResources } from "#api/core/kubernetes-resources.ts";
import { crdOf } from "#api/crd-of.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { ourKinds } from "#api/our-kinds.ts";
import type { NewObject } from "#client/client.ts";
import { installedLabels } from "./names.ts";
import { rightsObjects } from "./rights.ts";
import { type WebhookPlace, webhookConfigurations } from "./webhook-configurations.ts";

export interface InstallationOptions extends WebhookPlace {
  /** Whether writes are sent to the webhook; without it nothing is completed or judged beyond the schemas. */
  readonly webhook: boolean;
}

/**
 * All that an API server needs to be a control plane, in the order in which it is written: what is written first is needed by what
 * follows, and the configurations that fail closed come last.
 */
export function installedObjects(options: InstallationOptions): readonly NewObject[] {
  return [
    ...[systemNamespace, clusterNamespace].map((name) => ({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name, labels: installedLabels },
    })),
    ...ourKinds.map((kind) => labelled(crdOf(kind) as unknown as NewObject)), // a CustomResourceDefinition
    ...rightsObjects(),
    ...(options.webhook ? webhookConfigurations(options) : []),
  ];
}

/** Where an object of the installation is served. */
export function resourceOfInstalled({ kind }: Pick<NewObject, "kind">): ResourceId {
  return kubernetesResources[kind as KubernetesKind]; // the objects above are of no other kind
}

function labelled(object: NewObject): NewObject {
  return { ...object, metadata: { ...object.metadata, labels: installedLabels } };
}
