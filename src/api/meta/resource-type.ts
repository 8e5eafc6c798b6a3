import type { FieldError } from "#base/field-error.ts";
import type { ResourceRules } from "#schema/embedded-resources.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import type { ApiObject, Draft, Fields } from "./object-meta.ts";

/**
 * One served resource: everything that the API server must know of a kind, as data and a few pure functions.
 * Built-in kinds, our own kinds and users' CRDs all come in this form.
 */
export interface ResourceType {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** In the order discovery shows them. */
  readonly verbs: readonly string[];
  /** The whole object: apiVersion, kind, metadata and the rest. */
  readonly schema: SchemaNode;
  readonly subresources: Subresources;
  readonly strategy: Strategy;
  readonly table: TablePrinter;
  /** Where objects are kept: resources that share a storage (events in two groups) name the same. Default `<group>/<plural>`. */
  readonly storagePrefix?: string;
  /** For a resource that is kept in the shape of another; the strategy and the table know the served shape. */
  readonly convert?: ShapeConversion;
  /**
   * The form in which Kubernetes prints a built-in kind (`resources: {}`, no empty texts, canonical amounts); every draft gets it when
   * it is decoded, so that defaults, field owners and clients meet no other. Returns a draft of its own.
   */
  readonly canonicalize?: (draft: Draft, isCanonical?: (member: unknown) => boolean) => Draft;
  /** What an object of a built-in kind has before anybody writes to it; nobody owns these fields. */
  readonly zero?: Fields;
  /** Served from a CustomResourceDefinition: no strategic merge, CRD error wording. */
  readonly custom: boolean;
  /** Where there are resources inside its objects: what is known of those. */
  readonly embedded?: ResourceRules;
  /** Of a custom resource: what was written after this revision was shaped by this very schema. */
  readonly shapedAfter?: number;
}

/** Between the shape a resource is served in and the one it is kept in; metadata is the same in both. */
export interface ShapeConversion {
  fromStorage(object: ApiObject): ApiObject;
  /** The draft itself is left as it was. */
  toStorage(draft: Draft): Draft;
}

export interface Subresources {
  readonly status?: true;
  readonly scale?: ScalePaths;
}

/** JSON paths (`.spec.replicas`) as a CRD's scale subresource has them; built-in kinds are described the same way. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  /** A string path for CRs; for built-in kinds the path of a LabelSelector or a label map, printed as a selector string. */
  readonly labelSelectorPath?: string;
}

/** What differs from kind to kind. Hooks run in this order; only the ones that take a Draft may change the object. */
export interface Strategy {
  /** When metadata.generation counts: `spec` on any change outside metadata and status, `none` never (kinds without generation). */
  readonly generation: "spec" | "none";
  /** A change of annotations counts too (Deployments, whose annotations go to their replica sets). */
  readonly generationCountsAnnotations?: boolean;
  /** PUT on a missing object creates it. */
  readonly createOnUpdate?: boolean;
  /** PUT without a resourceVersion is accepted. */
  readonly unconditionalUpdate: boolean;
  /** What happens to dependents when the client does not say. */
  readonly defaultPropagation?: "Orphan" | "Background";
  /** What is remarked where a deletion does not say what becomes of dependents. */
  readonly deletionRemark?: string;
  /** Pods alone are deleted gracefully: the object stays, marked, until the kubelet confirms. */
  readonly gracefulDeletion?: boolean;
  /** What was deleted is the answer to its deletion; of most kinds it is a Status. */
  readonly returnsDeleted?: true;
  /** How a name must look; default a DNS subdomain. */
  readonly nameRule?: NameRule;
  /**
   * The kind's own rules do not look at metadata: a name is any path segment, finalizers need no domain, and of a new object metadata
   * is judged only where all else is right.
   */
  readonly leavesMetadata?: true;
  /** A new object may bring its status along. */
  readonly bringsStatus?: true;
  /** An update does not judge generateName by the rule of names again. */
  readonly prefixJudgedOnce?: true;
  /** Field selectors beside metadata.name and metadata.namespace; a value is compared as a string. */
  readonly fieldSelectors?: Readonly<Record<string, (object: ApiObject) => string>>;
  /** What is said of others; most kinds say the same. */
  readonly unknownField?: (field: string) => string;
  /** What is filled in, and whether a spec is right, depends on the spec alone: one that was stored is right wherever it is sent again. */
  readonly settles?: true;
  /** Defaults that Kubernetes has as code; runs after schema defaults, on create, update and read of old versions. */
  readonly applyDefaults?: (draft: Draft) => void;
  /** Clears and sets what a client may not: status on create, initial phase, allocated addresses. */
  readonly prepareForCreate?: (draft: Draft) => void;
  /** Keeps what an update may not change (the API server itself keeps status, uid and the like). */
  readonly prepareForUpdate?: (draft: Draft, old: ApiObject) => void;
  /** What of metadata a write of the status leaves as it was; of a custom resource that is all, of a built-in kind nothing unless said here. */
  readonly statusKeeps?: readonly KeptMetadata[];
  /** Parts of the status that the server itself writes in one with the whole object, and in whose name. */
  readonly ownStatus?: { readonly manager: string; readonly parts: readonly string[] };
  /** The same for a write of the status alone, with the defaults that a status has as code. */
  readonly prepareStatus?: (draft: Draft, old: ApiObject) => void;
  /** Runs when an object is marked for deletion: a namespace turns Terminating, a definition gets its cleanup finalizer. */
  readonly prepareForDelete?: (draft: Draft) => void;
  /** A marked object without finalizers may go; namespaces also have finalizers in their spec. Default true. */
  readonly isDeletable?: (object: ApiObject) => boolean;
  /**
   * Gives out what must be unique among all objects of the kind (a service's address). Runs after validation, in one turn
   * with the write, so that nobody else can take the same.
   */
  readonly allocate?: (draft: Draft, among: Allocation) => readonly FieldError[];
  /** What is judged before everything else, of new objects without an old one; where it finds something, nothing else is looked at. */
  readonly validateFirst?: (object: ApiObject, old?: ApiObject) => readonly FieldError[];
  /** What is judged only when an object is created: an update may not change it, and need not mend it. */
  readonly validateNew?: (object: ApiObject) => readonly FieldError[];
  readonly validate?: (object: ApiObject) => readonly FieldError[];
  readonly validateUpdate?: (object: ApiObject, old: ApiObject) => readonly FieldError[];
  /** What is judged when the status alone is written; all else is as it was. */
  readonly validateStatus?: (object: ApiObject, old: ApiObject) => readonly FieldError[];
  /** That the kind is deprecated, and what to use instead: a Warning header of every answer. */
  readonly deprecation?: string;
  /** Non-fatal remarks sent as Warning headers; there is no `old` of what was created. */
  readonly warnings?: (object: ApiObject, old?: ApiObject) => readonly string[];
}

/** Parts of metadata that a client writes. */
export type KeptMetadata = "labels" | "annotations" | "finalizers" | "ownerReferences" | "deletionTimestamp";

/** What an allocation may look at. */
export interface Allocation {
  /** The other stored objects of the kind. */
  readonly others: () => Iterable<ApiObject>;
  /** A number from 0 up to 1, drawn anew. */
  readonly random: () => number;
}

export type NameRule = "dns-subdomain" | "dns-label" | "dns-1035-label" | "long-name" | "path-segment";

export interface TableColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, above only in wide output. */
  readonly priority: number;
}

export interface TablePrinter {
  readonly columns: readonly TableColumn[];
  /** One cell per column. `nowMs` is for ages. */
  readonly cells: (object: ApiObject, nowMs: number) => readonly (string | number | boolean | null)[];
}
