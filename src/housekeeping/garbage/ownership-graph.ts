import type { ApiObject, ObjectMeta } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { TextGroups } from "#base/text-groups.ts";

/** How an object is being deleted, as far as its dependents must know. */
export type Deletion = "none" | "plain" | "foreground" | "orphan";

/** All that is kept of an object: where it is and to whom it belongs. */
export interface GraphNode {
  readonly uid: string;
  readonly resource: ResourceId;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly owners: readonly OwnerEdge[];
  readonly deletion: Deletion;
}

export interface OwnerEdge {
  readonly uid: string;
  /** The owner's foreground deletion waits for this object. */
  readonly blocking: boolean;
}

/** Hears whose situation changed, by uid. */
export interface GraphListener {
  /** Its owners, or what is known of them, changed. */
  dependent(uid: string, change: { readonly initial: boolean }): void;
  /** It waits for its dependents before it may go, or one of them changed meanwhile. */
  owner(uid: string, change: { readonly initial: boolean }): void;
}

/** Who belongs to whom, for all objects of a cluster. A change costs as much as the object has owners and dependents. */
export class OwnershipGraph {
  readonly #nodes = new Map<string, GraphNode>();
  /** owner's uid → dependents' uids; the owner need not exist */
  readonly #dependents = new TextGroups();
  /** Owners that were seen to go while something still belongs to them. A uid never comes back. */
  readonly #gone = new Set<string>();
  readonly #listeners = new Set<GraphListener>();

  get size(): number {
    return this.#nodes.size;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  nodes(): Iterable<GraphNode> {
    return this.#nodes.values();
  }

  dependentsOf(uid: string): readonly GraphNode[] {
    return [...this.#dependents.of(uid)].map((each) => this.#nodes.get(each)!);
  }

  /** Whether an owner was seen to go: proof enough when its kind is not served any more and nobody can be asked. */
  hasSeenGoing(uid: string): boolean {
    return this.#gone.has(uid);
  }

  subscribe(listener: GraphListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  put(resource: ResourceId, { object, initial }: { readonly object: ApiObject; readonly initial: boolean }): void {
    const before = this.#nodes.get(object.metadata.uid);
    if (before !== undefined && isAsBefore(before, object.metadata)) return;
    const node = nodeOf(resource, object);
    const relinked = !sameEdges(before?.owners ?? none, node.owners);
    this.#nodes.set(node.uid, node);
    if (relinked) this.#relink(node, before?.owners ?? none);
    if (node.owners.length > 0) this.#tell("dependent", node.uid, initial);
    if (relinked) this.#tellWaiting([...(before?.owners ?? none), ...node.owners], initial);
    if (before?.deletion === node.deletion) return;
    if (node.deletion === "foreground") this.#tellDependents(node.uid, initial);
    if (isWaiting(node)) this.#tell("owner", node.uid, initial);
  }

  remove(uid: string, { initial }: { readonly initial: boolean }): void {
    const node = this.#nodes.get(uid);
    if (node === undefined) return;
    this.#forget(node);
    if (this.#dependents.has(uid)) this.#gone.add(uid);
    this.#tellDependents(uid, initial);
    this.#tellWaiting(node.owners, initial);
  }

  /** The resource is served no longer: nothing is known of its objects, not even that they are gone. */
  drop(resource: ResourceId): void {
    for (const node of [...this.#nodes.values()]) if (node.resource === resource) this.#forget(node);
  }

  #forget(node: GraphNode): void {
    this.#nodes.delete(node.uid);
    for (const { uid } of node.owners) this.#unlink(uid, node.uid);
  }

  #relink({ uid, owners }: GraphNode, before: readonly OwnerEdge[]): void {
    for (const owner of before) if (!owners.some((each) => each.uid === owner.uid)) this.#unlink(owner.uid, uid);
    for (const owner of owners) this.#dependents.add(owner.uid, uid);
  }

  #unlink(owner: string, dependent: string): void {
    this.#dependents.delete(owner, dependent);
    if (!this.#dependents.has(owner)) this.#gone.delete(owner);
  }

  #tellDependents(uid: string, initial: boolean): void {
    for (const dependent of this.#dependents.of(uid)) this.#tell("dependent", dependent, initial);
  }

  #tellWaiting(owners: readonly OwnerEdge[], initial: boolean): void {
    for (const { uid } of owners) {
      const owner = this.#nodes.get(uid);
      if (owner !== undefined && isWaiting(owner)) this.#tell("owner", uid, initial);
    }
  }

  #tell(role: keyof GraphListener, uid: string, initial: boolean): void {
    for (const listener of this.#listeners) listener[role](uid, { initial });
  }
}

const none: readonly OwnerEdge[] = [];

/** How the object's metadata says it is being deleted. */
export function deletionOf({ deletionTimestamp, finalizers = [] }: ObjectMeta): Deletion {
  if (deletionTimestamp === undefined) return "none";
  if (finalizers.includes("foregroundDeletion")) return "foreground";
  return finalizers.includes("orphan") ? "orphan" : "plain";
}

function isWaiting({ deletion }: GraphNode): boolean {
  return deletion === "foreground" || deletion === "orphan";
}

function nodeOf(resource: ResourceId, { metadata }: ApiObject): GraphNode {
  const { uid, namespace, name, ownerReferences } = metadata;
  const owners = ownerReferences?.map((owner) => ({ uid: owner.uid, blocking: owner.blockOwnerDeletion === true }));
  return { uid, resource, namespace, name, owners: owners ?? none, deletion: deletionOf(metadata) };
}

/** Nearly every change is of something else; nothing is made to see that. */
function isAsBefore({ owners, deletion }: GraphNode, metadata: ObjectMeta): boolean {
  const { ownerReferences } = metadata;
  if (deletionOf(metadata) !== deletion || owners.length !== (ownerReferences?.length ?? 0)) return false;
  return owners.every(({ uid, blocking }, index) => {
    const reference = ownerReferences?.[index];
    return reference?.uid === uid && (reference.blockOwnerDeletion === true) === blocking;
  });
}

function sameEdges(a: readonly OwnerEdge[], b: readonly OwnerEdge[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ uid, blocking }, index) => b[index]?.uid === uid && b[index].blocking === blocking)
  );
}
