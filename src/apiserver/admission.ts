import type { UserInfo } from "#api/meta/api-call.ts";
import type { ApiObject, Draft } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";

/** What can be said of a kind without serving it. */
export type ReviewedType = Pick<ResourceType, "group" | "version" | "kind" | "plural">;

/** One write on its way to the store, as admission sees it. */
export interface AdmissionRequest<Type = ResourceType> {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly type: Type;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: string | undefined;
  /** Absent for DELETE. A mutating plug-in changes it in place. */
  readonly object: Draft | undefined;
  readonly old: ApiObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  /** A remark for the client, sent as a Warning header. */
  readonly warn: (text: string) => void;
}

/**
 * Looks at every write after decoding and defaulting. `mutate` of all plug-ins runs first, then validation of the result, then
 * `validate` of all. Refuses by throwing a StatusError. May return nothing when it needs no waiting.
 */
export interface AdmissionPlugin<Type = ResourceType> {
  readonly name: string;
  readonly mutate?: (request: AdmissionRequest<Type>) => undefined | Promise<void>;
  readonly validate?: (request: AdmissionRequest<Type>) => undefined | Promise<void>;
}

/** One that asks so little of a kind that it can also judge what another server is about to store. */
export type ReviewPlugin = AdmissionPlugin<ReviewedType>;
export type ReviewRequest = AdmissionRequest<ReviewedType>;

/** Runs one phase of all plug-ins in order; a promise only when some plug-in needs one. */
export function admit<Type>(
  plugins: readonly AdmissionPlugin<Type>[],
  phase: Phase,
  request: AdmissionRequest<Type>,
): undefined | Promise<void> {
  for (let index = 0; index < plugins.length; index++) {
    const pending = plugins[index]?.[phase]?.(request);
    if (pending !== undefined) return pending.then(() => admit(plugins.slice(index + 1), phase, request));
  }
  return undefined;
}

type Phase = "mutate" | "validate";
