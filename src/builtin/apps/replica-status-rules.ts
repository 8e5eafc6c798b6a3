import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, invalid } from "#base/field-error.ts";
import { nonNegativeMembers } from "../value-rules.ts";

/** What is wrong with a status that counts replicas: no count is below zero, none of a part of them above that of all. */
export function replicaStatusErrors(
  { status }: Fields,
  { counters, parts, ready = "readyReplicas" }: ReplicaCounters,
): FieldError[] {
  const counts: Fields = status ?? {};
  const exceeding = (part: string, all: string, message: string) =>
    (counts[part] ?? 0) > (counts[all] ?? 0)
      ? [invalid(`status.${part}`, counts[part] ?? 0, `cannot be greater than ${message}`)]
      : [];
  return [
    ...nonNegativeMembers("status", counts, counters),
    ...parts.flatMap((part) => exceeding(part, "replicas", "status.replicas")),
    ...exceeding("availableReplicas", "readyReplicas", ready),
  ];
}

interface ReplicaCounters {
  /** All that are counted, in the order of messages. */
  readonly counters: readonly string[];
  /** Those that are some of all. */
  readonly parts: readonly string[];
  /** What the kind calls those that are ready. */
  readonly ready?: string;
}

/** Collisions of names are counted upward. */
export function collisionErrors({ status }: Fields, old: Fields): FieldError[] {
  const [now, before] = [status?.collisionCount, old.status?.collisionCount];
  if (before == null || (now != null && now >= before)) return [];
  return [invalid("status.collisionCount", now ?? 0, "cannot be decremented")];
}
