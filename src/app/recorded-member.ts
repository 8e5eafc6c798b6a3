import type { Cluster } from "#api/cluster/cluster.ts";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";

import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, printKey, type ResourceId } from "#api/meta/resource-id.ts";
import { appliedCondition } from "#api/work/condition-reasons.ts";
import type { Work } from "#api/work/work.ts";
import { apiVersionOf } from "#apiserver/registry.ts";
import { isJsonObject } from "#base/json.ts";
import { listingClient } from "#client/listing-client.ts";
import type { MemberConnection } from "#members/member-connection.ts";

interface Records {
  readonly cluster: Cluster;
  /** Those of the cluster. */
  readonly works: readonly Work[];
  /** What the control plane serves: a member's kinds are told by name alone. */
  readonly served: readonly ResourceId[];
  /** The field manager under which the member sees our writes. */
  readonly manager: string;
}

/** A member that is not asked: it has what its works say was applied there, as they say it, and nothing else. */
export function recordedMember({ cluster, works, served, manager }: Records): MemberConnection {
  const objects = works.flatMap((work) => (isApplied(work) ? sentBy(work, manager) : []));
  const of = (resource: ResourceId) => objects.filter((object) => isOf(object, resource));
  const unasked = () =>
    Promise.reject(new Error(`cannot ask ${cluster.metadata.name}: it is known by its works alone`));
  return {
    client: listingClient(
      {
        get: async (resource, key) =>
          of(resource).find((object) => printKey(keyOf(object)) === printKey(key)) ??
          defaultNamespace(resource, key.name),
        list: async (resource, { labelSelector } = {}) => {
          const unlabelled = labelSelector === undefined ? defaultNamespace(resource, "default") : undefined;
          return { resourceVersion: "1", items: [...of(resource), ...(unlabelled === undefined ? [] : [unlabelled])] };
        },
      },
      { refused() {}, failed() {} },
    ),
    resources: async () => served.filter((resource) => isServedBy(cluster, resource)),
    health: async () => "ok",
    kubernetesVersion: unasked,
    close() {},
  };
}

function isApplied({ status }: Work): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === appliedCondition.type && is === "True") ?? false;
}

function sentBy({ spec, metadata }: Work, manager: string): readonly ApiObject[] {
  return (spec.workload?.manifests ?? []).filter(isJsonObject).map((manifest) => {
    const object = manifest as unknown as ApiObject; // a whole manifest
    const managedFields = [{ manager, operation: "Update", apiVersion: object.apiVersion }];
    const own = { uid: metadata.uid, resourceVersion: metadata.resourceVersion, managedFields };
    return { ...object, metadata: { ...object.metadata, ...own } } as ApiObject; // as a member would hand it out
  });
}

function isOf({ apiVersion, kind }: ApiObject, resource: ResourceId): boolean {
  return kind === resource.kind && apiVersion === apiVersionOf(resource);
}

function isServedBy({ status }: Cluster, resource: ResourceId): boolean {
  const { apiEnablements = [] } = status ?? {};
  const enabled = apiEnablements.find(({ groupVersion }) => groupVersion === apiVersionOf(resource));
  return enabled?.resources?.some(({ kind }) => kind === resource.kind) ?? false;
}

/** Every cluster has it, and no work carries it. */
function defaultNamespace(resource: ResourceId, name: string): ApiObject | undefined {
  if (resource.kind !== kubernetesResources.Namespace.kind || name !== "default") return undefined;
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, uid: name, resourceVersion: "1" } } as ApiObject; // all that is read
}
