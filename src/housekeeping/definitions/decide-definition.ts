import type { ApiObject } from "#api/meta/object-meta.ts";
import { formatTime } from "#base/clock.ts";
import type { Plan } from "#base/plan.ts";

export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

export interface DefinitionCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** A CustomResourceDefinition as far as its end is concerned. */
export interface Definition extends ApiObject {
  readonly spec: { readonly group: string; readonly names: { readonly plural: string } };
  readonly status?: { readonly conditions?: readonly DefinitionCondition[] };
}

export interface DefinitionFacts {
  readonly definition: Definition;
  readonly instances: readonly ApiObject[];
  readonly nowMs: number;
}

export type DefinitionStep =
  | { readonly do: "delete"; readonly instances: readonly ApiObject[] }
  | { readonly do: "writeConditions"; readonly conditions: readonly DefinitionCondition[] }
  | { readonly do: "release" };

/** Whether the instances of a definition are to be deleted. */
export function isEnding({ metadata }: Definition): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(cleanupFinalizer);
}

/** A definition goes after its last instance. What was asked to go is waited for, and the condition Terminating says so. */
export function decideDefinition({ definition, instances, nowMs }: DefinitionFacts): Plan<DefinitionStep> {
  if (!isEnding(definition)) return { steps: [] };
  if (instances.length === 0) return { steps: [{ do: "release" }] };
  const unasked = instances.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const old = definition.status?.conditions ?? [];
  const isTold = old.some(({ type, status }) => type === "Terminating" && status === "True");
  const steps: DefinitionStep[] = [];
  if (!isTold) steps.push({ do: "writeConditions", conditions: [...without(old), terminating(nowMs)] });
  if (unasked.length > 0) steps.push({ do: "delete", instances: unasked });
  return { steps, waitFor: { reason: "instances remain" } };
}

function without(conditions: readonly DefinitionCondition[]): readonly DefinitionCondition[] {
  return conditions.filter(({ type }) => type !== "Terminating");
}

function terminating(nowMs: number): DefinitionCondition {
  return {
    type: "Terminating",
    status: "True",
    lastTransitionTime: formatTime(nowMs),
    reason: "InstanceDeletionInProgress",
    message: "CustomResource deletion is in progress",
  };
}
