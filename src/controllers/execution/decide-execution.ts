import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { executionFinalizer } from "#api/work/finalizers.ts";
import { controlPlaneAnnotation } from "#api/work/template-keys.ts";
import type { Work } from "#api/work/work.ts";
import { conflictResolutionAnnotation } from "#api/work/work-keys.ts";
import { membersBut, mergeMembers } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";
import type { Interpretation } from "#interpreter/interpretation.ts";
import { isAsSent } from "./compare-objects.ts";
import { isOurs, ownerBeside } from "./whose-object.ts";

/** One manifest of a work and what the member has of it. */
export interface ManifestFacts {
  readonly manifest: Fields;
  /** Undefined when the member does not serve the kind. */
  readonly resource: ResourceId | undefined;
  readonly observed: ApiObject | undefined;
  /** What is to be sent, given what is there: fields that belong to the member are kept. */
  readonly desired: Interpretation<Fields>;
}

export interface ExecutionFacts {
  readonly work: Work;
  readonly manifests: readonly ManifestFacts[];
  /** Whether the cluster's Ready condition is True. */
  readonly isReady: boolean;
  /** Whether the cluster is being removed: what cannot be reached any more holds nothing up. */
  readonly isLeaving: boolean;
  /** Why there is no connection. */
  readonly unreachable: string | undefined;
  readonly manager: string;
  /** Which control plane this is; undefined when it does not say. */
  readonly controlPlaneId: string | undefined;
}

export type ExecutionStep =
  | { readonly do: "create"; readonly resource: ResourceId; readonly manifest: Fields }
  | { readonly do: "update"; readonly resource: ResourceId; readonly manifest: Fields; readonly observed: ApiObject }
  | { readonly do: "delete"; readonly resource: ResourceId; readonly observed: ApiObject }
  | { readonly do: "letGo"; readonly resource: ResourceId; readonly observed: ApiObject }
  | { readonly do: "letGoNamespace"; readonly name: string }
  | { readonly do: "refuse"; readonly error: string }
  | { readonly do: "releaseWork" };

/**
 * What to do in the member for one work, in this order: deletion is never held up by suspension; a suspended work sends nothing, not even
 * repairs; a member that is not well is left alone until it is.
 */
export function decideExecution(facts: ExecutionFacts): Plan<ExecutionStep> {
  const { work, isReady, unreachable } = facts;
  if (work.metadata.deletionTimestamp !== undefined) return decideRemoval(facts);
  if (work.spec.suspendDispatching === true) return { steps: [], waitFor: { reason: "dispatching is suspended" } };
  if (unreachable !== undefined) return { steps: [], waitFor: { reason: unreachable } };
  if (!isReady) return { steps: [], waitFor: { reason: "the cluster is not ready" } };
  return { steps: facts.manifests.flatMap((manifest) => decideManifest(facts, manifest)) };
}

function decideManifest(
  { manager, controlPlaneId }: ExecutionFacts,
  { manifest, resource, observed, desired }: ManifestFacts,
): readonly ExecutionStep[] {
  if (resource === undefined)
    return [{ do: "refuse", error: `the cluster does not serve ${manifest["apiVersion"]} ${manifest["kind"]}` }];
  if (observed === undefined) return [{ do: "create", resource, manifest }];
  if (observed.metadata.deletionTimestamp !== undefined)
    return [{ do: "refuse", error: `${textOf(manifest)} is being deleted in the cluster` }];
  const other = ownerBeside(observed, controlPlaneId);
  const takesOver = manifest["metadata"]?.annotations?.[conflictResolutionAnnotation] === "overwrite";
  if (other !== undefined || (!takesOver && !isOurs(observed, controlPlaneId))) {
    // a namespace that the member had before serves as it is, and must never become ours to delete
    if (manifest["kind"] === "Namespace") return [];
    const error =
      other === undefined
        ? `${textOf(manifest)} already exists in the cluster and is not managed by Karmada: Karmada will not manage this resource; set conflictResolution to Overwrite to take it over`
        : `${textOf(manifest)} belongs to another control plane, ${JSON.stringify(other)}, and is left as it is; if that one is gone, remove the annotation ${controlPlaneAnnotation} there`;
    return [{ do: "refuse", error }];
  }
  if (!desired.ok) return [{ do: "refuse", error: `${textOf(manifest)} is left as it is: ${desired.message}` }];
  const { value } = desired;
  const isMarked = observed.metadata.annotations?.[controlPlaneAnnotation] !== undefined;
  // what was sent before copies said whose they are gets that along with its next change
  if (isAsSent(isMarked ? value : withoutOwner(value), observed, manager)) return [];
  return [{ do: "update", resource, manifest: value, observed }];
}

const ownerKeys: ReadonlySet<string> = new Set([controlPlaneAnnotation]);

function withoutOwner(manifest: Fields): Fields {
  const { metadata = {} } = manifest;
  const annotations = membersBut(metadata.annotations ?? {}, ownerKeys);
  return mergeMembers<unknown>(manifest, { metadata: mergeMembers<unknown>(metadata, { annotations }) });
}

function textOf({ kind, metadata }: Fields): string {
  return `resource(kind=${kind}, ${metadata?.namespace ?? ""}/${metadata?.name})`;
}

/** What is gone is done (ruling 20); what is not ours is left alone. */
function decideRemoval(facts: ExecutionFacts): Plan<ExecutionStep> {
  const { work, manifests, isReady, isLeaving, unreachable, controlPlaneId } = facts;
  const held = work.metadata.finalizers?.includes(executionFinalizer) ?? false;
  const release: ExecutionStep[] = held ? [{ do: "releaseWork" }] : [];
  if (!isReady || unreachable !== undefined) {
    return isLeaving
      ? { steps: release }
      : { steps: [], waitFor: { reason: unreachable ?? "the cluster is not ready" } };
  }
  const preserve = work.spec.preserveResourcesOnDeletion === true;
  const steps = manifests.flatMap(({ resource, observed }): readonly ExecutionStep[] => {
    if (resource === undefined || observed === undefined || !isOurs(observed, controlPlaneId)) return [];
    // nobody asked for the end of a namespace whose cluster leaves, and others may live in it
    const stays = preserve || (isLeaving && resource.kind === "Namespace");
    if (stays) return [...lettingGoNamespace(observed), { do: "letGo", resource, observed }];
    return observed.metadata.deletionTimestamp === undefined ? [{ do: "delete", resource, observed }] : [];
  });
  return { steps: [...steps, ...release] };
}

/** What is preserved must outlive our interest in its namespace, too. */
function lettingGoNamespace({ metadata: { namespace } }: ApiObject): readonly ExecutionStep[] {
  return namespace === undefined ? [] : [{ do: "letGoNamespace", name: namespace }];
}
