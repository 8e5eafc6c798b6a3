import type { ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Client, NewObject } from "#client/client.ts";
import { bootstrapRoles } from "./bootstrap-roles.ts";

const namespaces: ResourceId = {
  group: "",
  version: "v1",
  resource: "namespaces",
  kind: "Namespace",
  namespaced: false,
};
const kubernetesNamespaces = ["default", "kube-node-lease", "kube-public", "kube-system"];

/** Creates what every cluster starts with, and the namespaces this one needs besides. Safe to repeat: what exists stays as it is. */
export async function bootstrapCluster(client: Client, extraNamespaces: readonly string[] = []): Promise<void> {
  const objects: Promise<void>[] = [...kubernetesNamespaces, ...extraNamespaces].map((name) =>
    createIfMissing(client, namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } }),
  );
  for (const { resource, object } of bootstrapRoles()) {
    const id = { group: "rbac.authorization.k8s.io", version: "v1", resource, kind: object.kind, namespaced: false };
    objects.push(createIfMissing(client, id, object));
  }
  await Promise.all(objects);
}

async function createIfMissing(client: Client, resource: ResourceId, object: NewObject): Promise<void> {
  if ((await client.get(resource, { name: object.metadata.name! })) !== undefined) return;
  try {
    await client.create(resource, object);
  } catch (error: unknown) {
    if (!(error instanceof StatusError && error.reason === "AlreadyExists")) throw error;
  }
}
