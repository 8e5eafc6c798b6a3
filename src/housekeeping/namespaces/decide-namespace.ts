import type { ApiObject } from "#api/meta/object-meta.ts";
import { jsonEquals } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";
import { type Content, type NamespaceCondition, namespaceConditions } from "./namespace-conditions.ts";

/** A Namespace as far as its life cycle reads it. */
export interface Namespace extends ApiObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: string; readonly conditions?: readonly NamespaceCondition[] };
}

export interface NamespaceFacts {
  readonly namespace: Namespace;
  readonly nowMs: number;
  /** When its content may be looked at. */
  readonly dueMs: number;
  /** What is in it; unread (empty) before `dueMs`. */
  readonly content: readonly Content[];
  /** Deletions that were refused at the last attempt: why, by the object's uid. */
  readonly failures: ReadonlyMap<string, string>;
}

export type NamespaceStep =
  | { readonly do: "delete"; readonly content: readonly Content[] }
  | { readonly do: "writeConditions"; readonly conditions: readonly NamespaceCondition[] }
  | { readonly do: "finalize" };

export const namespaceFinalizer = "kubernetes";

/** Whether a namespace is to be emptied. */
export function isTerminating({ metadata, spec }: Namespace): boolean {
  return metadata.deletionTimestamp !== undefined && (spec?.finalizers ?? []).includes(namespaceFinalizer);
}

/**
 * A terminating namespace is emptied, then let go.
 *
 *   requested ── delay ──▶ emptying ──▶ held by finalizers (conditions say which) ──▶ empty: finalized
 *                              └──────────────────── nothing held ───────────────────────▲
 *
 * What was asked to go and is still there is waited for: its own events bring the namespace again.
 */
export function decideNamespace(facts: NamespaceFacts): Plan<NamespaceStep> {
  const { namespace, nowMs, dueMs, content, failures } = facts;
  if (!isTerminating(namespace)) return { steps: [] };
  if (nowMs < dueMs) return { steps: [], waitFor: { reason: "too early to look", retryAfterMs: dueMs - nowMs } };
  if (content.length === 0) return { steps: [{ do: "finalize" }] };

  const unasked = pick(content, ({ metadata }) => metadata.deletionTimestamp === undefined);
  const untried = pick(unasked, ({ metadata }) => !failures.has(metadata.uid));
  const deletion: readonly NamespaceStep[] = unasked.length === 0 ? [] : [{ do: "delete", content: unasked }];
  if (untried.length > 0) return { steps: deletion };

  const old = namespace.status?.conditions ?? [];
  const conditions = namespaceConditions(old, { content, failures: [...new Set(failures.values())], nowMs });
  const writing: readonly NamespaceStep[] = jsonEquals(conditions, old) ? [] : [{ do: "writeConditions", conditions }];
  return { steps: [...writing, ...deletion], waitFor: { reason: "content remains" } };
}

function pick(content: readonly Content[], matches: (object: ApiObject) => boolean): readonly Content[] {
  return content
    .map(({ resource, objects }) => ({ resource, objects: objects.filter(matches) }))
    .filter(({ objects }) => objects.length > 0);
}
