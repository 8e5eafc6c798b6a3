import { expect, test } from "vitest";
import { rebalanceOutcomes } from "#api/apps/rebalance-outcomes.ts";
import * as clusterConditions from "#api/cluster/condition-reasons.ts";
import { clusterEvents } from "#api/cluster/event-reasons.ts";
import { clusterFinalizer } from "#api/cluster/finalizers.ts";
import { notReadyTaint, unreachableTaint, unschedulableTaint } from "#api/cluster/taint-keys.ts";
import * as appliedKeys from "#api/policy/applied-keys.ts";
import * as claimKeys from "#api/policy/claim-keys.ts";
import * as policyFinalizers from "#api/policy/finalizers.ts";
import * as bindingKeys from "#api/work/binding-keys.ts";
import * as workConditions from "#api/work/condition-reasons.ts";
import { bindingEvents, templateEvents, workEvents } from "#api/work/event-reasons.ts";
import * as workFinalizers from "#api/work/finalizers.ts";
import * as templateKeys from "#api/work/template-keys.ts";
import * as workKeys from "#api/work/work-keys.ts";

// Clients match on these texts; a change of one is a change of the wire. Written out here a second time on purpose.

test("labels and annotations are Karmada's, but for the two by which people reconcile (ruling 26) and what copies say of their manifest and of who sent them", () => {
  const keys = [claimKeys, appliedKeys, bindingKeys, workKeys, templateKeys].flatMap((names) => Object.values(names));
  expect(keys.toSorted()).toEqual([
    "binding.karmada.io/managed-by",
    "clusterpropagationpolicy.karmada.io/name",
    "clusterpropagationpolicy.karmada.io/permanent-id",
    "clusterresourcebinding.karmada.io/name",
    "clusterresourcebinding.karmada.io/permanent-id",
    "karmada.io/managed",
    "karmada.io/system",
    "namespace.karmada.io/skip-auto-propagation",
    "policy.karmada.io/applied-cluster-overrides",
    "policy.karmada.io/applied-overrides",
    "policy.karmada.io/applied-placement",
    "policy.karmada.io/reconcile-released-on",
    "policy.karmada.io/reconcile-requested-at",
    "propagationpolicy.karmada.io/name",
    "propagationpolicy.karmada.io/namespace",
    "propagationpolicy.karmada.io/permanent-id",
    "resourcebinding.karmada.io/depended-by-",
    "resourcebinding.karmada.io/dependencies",
    "resourcebinding.karmada.io/name",
    "resourcebinding.karmada.io/namespace",
    "resourcebinding.karmada.io/permanent-id",
    "resourcetemplate.karmada.io/claimed-by",
    "resourcetemplate.karmada.io/deletion-protected",
    "resourcetemplate.karmada.io/generation",
    "resourcetemplate.karmada.io/managed-annotations",
    "resourcetemplate.karmada.io/managed-labels",
    "resourcetemplate.karmada.io/retain-replicas",
    "resourcetemplate.karmada.io/uid",
    "work.karmada.io/conflict-resolution",
    "work.karmada.io/control-plane",
    "work.karmada.io/manifest-hash",
    "work.karmada.io/name",
    "work.karmada.io/namespace",
    "work.karmada.io/permanent-id",
  ]);
});

test("finalizers and taint keys are Karmada's", () => {
  const finalizers = [...Object.values(policyFinalizers), ...Object.values(workFinalizers), clusterFinalizer];
  expect(finalizers.toSorted()).toEqual([
    "karmada.io/binding-controller",
    "karmada.io/binding-dependencies-distributor",
    "karmada.io/cluster-controller",
    "karmada.io/cluster-propagation-policy-controller",
    "karmada.io/cluster-resource-binding-controller",
    "karmada.io/execution-controller",
    "karmada.io/propagation-policy-controller",
  ]);
  expect([unschedulableTaint, notReadyTaint, unreachableTaint]).toEqual([
    "cluster.karmada.io/unschedulable",
    "cluster.karmada.io/not-ready",
    "cluster.karmada.io/unreachable",
  ]);
});

test("conditions of bindings, works and clusters are Karmada's", () => {
  const { scheduledCondition, fullyAppliedCondition, appliedCondition, dispatchingCondition } = workConditions;
  const types = [scheduledCondition, fullyAppliedCondition, appliedCondition, dispatchingCondition];
  expect(types.map(({ type }) => type)).toEqual(["Scheduled", "FullyApplied", "Applied", "Dispatching"]);
  expect(Object.values(scheduledCondition).filter((value) => typeof value === "string")).toEqual([
    "Scheduled",
    "NoClusterFit",
    "Unschedulable",
    "SchedulerError",
    "QuotaExceeded",
  ]);
  expect(dispatchingCondition.suspended).toEqual({
    reason: "SuspendDispatching",
    message: "Work dispatching is in a suspended state.",
  });
  expect(workConditions.unwrittenWorkConditions).toEqual(["Progressing", "Available", "Degraded"]);
  expect([workConditions.evictionReasons, workConditions.taintManagerProducer]).toEqual([
    { taintUntolerated: "TaintUntolerated", applicationFailure: "ApplicationFailure" },
    "TaintManager",
  ]);
  const { readyCondition, completeAPIEnablementsCondition } = clusterConditions;
  expect([readyCondition.ready.reason, readyCondition.notReady.reason, readyCondition.notReachable.reason]).toEqual([
    "ClusterReady",
    "ClusterNotReady",
    "ClusterNotReachable",
  ]);
  expect(Object.values(completeAPIEnablementsCondition)).toEqual([
    "CompleteAPIEnablements",
    "Complete",
    "Partial",
    "Empty",
  ]);
  expect(Object.values(rebalanceOutcomes)).toEqual(["Successful", "Failed", "ReferencedBindingNotFound"]);
});

test("reasons of events are Karmada's", () => {
  expect(workEvents.sync).toEqual({ succeed: "SyncSucceed", failed: "SyncFailed" });
  expect(templateEvents.applyPolicy).toEqual({ succeed: "ApplyPolicySucceed", failed: "ApplyPolicyFailed" });
  expect(bindingEvents.schedule).toEqual({ succeed: "ScheduleBindingSucceed", failed: "ScheduleBindingFailed" });
  expect(clusterEvents.createExecutionSpace.succeed).toBe("CreateExecutionSpaceSucceed");
});
