import type { JsonObject } from "#base/json.ts";
import type { ApiObject } from "./object-meta.ts";

/**
 * A request to an API server as a record of objects, not bytes. HTTP decodes into it and encodes from its answer; the in-process
 * transport passes it as it is, so a controller cannot tell which of the two it talks over.
 */
export interface ApiCall {
  readonly verb: Verb;
  readonly path: ResourcePath;
  readonly user: UserInfo;
  readonly options: CallOptions;
  /** The object of a create or update, the patch of a patch, the DeleteOptions of a delete. Never changed by the server. */
  readonly body?: unknown;
  readonly patchType?: PatchType;
  /** Fields that stood twice in the body's text. */
  readonly duplicateFields?: readonly string[];
  /** Where remarks for the client are put as they come up, so that a refusal has them, too. */
  readonly remarks?: string[];
}

export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection";
export type PatchType = "json" | "merge" | "strategic" | "apply";

export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

/** Who asks, as authentication found out. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface CallOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks?: boolean;
  readonly timeoutSeconds?: number;
  readonly fieldManager?: string;
  readonly fieldValidation?: FieldValidation;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly deletion?: DeleteOptions;
}

export type FieldValidation = "Strict" | "Warn" | "Ignore";

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export type ApiAnswer =
  | {
      readonly kind: "object";
      readonly code: 200 | 201;
      readonly object: ApiObject;
      readonly warnings: readonly string[];
    }
  | { readonly kind: "list"; readonly list: ObjectList }
  | { readonly kind: "watch"; readonly watch: WatchSource }
  /** Something that is no stored object: a deletion's Status, a review, a Scale. */
  | { readonly kind: "document"; readonly code: 200 | 201; readonly document: JsonObject };

export interface ObjectList {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
  readonly items: readonly ApiObject[];
}

/** Events for one watcher; nothing is sent before `start`. */
export interface WatchSource {
  /** Delivers in revision order; `end` is called once when the server ends the stream. Returns the function that stops it. */
  start(listener: WatchListener): () => void;
}

export interface WatchListener {
  event(event: WatchEvent): void;
  /** With an error where that is why, and trying again may not help. */
  end(error?: unknown): void;
}

export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: ApiObject }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  | { readonly type: "ERROR"; readonly status: JsonObject };

/** The one door to an API server. */
export interface ApiTransport {
  call(call: ApiCall): Promise<ApiAnswer>;
}
