import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { formatTime } from "#base/clock.ts";

export interface NamespaceCondition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly lastTransitionTime?: string;
  readonly reason: string;
  readonly message: string;
}

/** Objects of one resource in the namespace. */
export interface Content {
  readonly resource: ResourceId;
  readonly objects: readonly ApiObject[];
}

export interface Remains {
  readonly content: readonly Content[];
  /** Why deletions were refused. */
  readonly failures: readonly string[];
  readonly nowMs: number;
}

type Verdict = Pick<NamespaceCondition, "type" | "status" | "reason" | "message">;

/**
 * What keeps a namespace from going, in the words of Kubernetes. A condition keeps its time while its status stays.
 * Upstream: k8s.io/kubernetes pkg/controller/namespace/deletion/status_condition_utils.go
 */
export function namespaceConditions(
  old: readonly NamespaceCondition[],
  { content, failures, nowMs }: Remains,
): readonly NamespaceCondition[] {
  const verdicts: readonly Verdict[] = [
    verdict("NamespaceDeletionDiscoveryFailure", {
      good: ["ResourcesDiscovered", "All resources successfully discovered"],
    }),
    verdict("NamespaceDeletionGroupVersionParsingFailure", {
      good: ["ParsedGroupVersions", "All legacy kube types successfully parsed"],
    }),
    verdict("NamespaceDeletionContentFailure", {
      good: ["ContentDeleted", "All content successfully deleted, may be waiting on finalization"],
      bad: failures.length > 0 && ["ContentDeletionFailed", failureMessage(failures)],
    }),
    verdict("NamespaceContentRemaining", {
      good: ["ContentRemoved", "All content successfully removed"],
      bad: content.length > 0 && ["SomeResourcesRemain", contentMessage(content)],
    }),
    verdict("NamespaceFinalizersRemaining", {
      good: ["ContentHasNoFinalizers", "All content-preserving finalizers finished"],
      bad: hasFinalizers(content) && ["SomeFinalizersRemain", finalizerMessage(content)],
    }),
  ];
  const now = formatTime(nowMs);
  const others = old.filter(({ type }) => !verdicts.some((each) => each.type === type));
  return [...others, ...verdicts.map((each) => timed(each, old, now))];
}

const maxFailuresShown = 10;

type Words = readonly [reason: string, message: string];

function verdict(type: string, { good, bad = false }: { readonly good: Words; readonly bad?: Words | false }): Verdict {
  const [reason, message] = bad || good;
  return { type, status: bad ? "True" : "False", reason, message };
}

function timed(verdict: Verdict, old: readonly NamespaceCondition[], now: string): NamespaceCondition {
  const before = old.find(({ type }) => type === verdict.type);
  const { type, status, reason, message } = verdict;
  const since = before?.status === status ? before.lastTransitionTime : undefined;
  return { type, status, lastTransitionTime: since ?? now, reason, message };
}

function failureMessage(failures: readonly string[]): string {
  const shown = failures.toSorted().slice(0, maxFailuresShown);
  const rest = failures.length - shown.length;
  const list = [...shown, ...(rest === 0 ? [] : [`and ${rest} more`])].join(", ");
  return `Failed to delete all resource types, ${failures.length} remaining: ${list}`;
}

function contentMessage(content: readonly Content[]): string {
  const parts = content.map(
    ({ resource, objects }) => `${resource.resource}.${resource.group} has ${objects.length} resource instances`,
  );
  return `Some resources are remaining: ${parts.toSorted().join(", ")}`;
}

function hasFinalizers(content: readonly Content[]): boolean {
  return content.some(({ objects }) => objects.some(({ metadata }) => (metadata.finalizers ?? []).length > 0));
}

function finalizerMessage(content: readonly Content[]): string {
  const counts = new Map<string, number>();
  for (const { objects } of content) {
    for (const { metadata } of objects) {
      for (const name of metadata.finalizers ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const parts = [...counts].map(([name, count]) => `${name} in ${count} resource instances`);
  return `Some content in the namespace has finalizers remaining: ${parts.toSorted().join(", ")}`;
}
