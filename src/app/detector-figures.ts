import { controllerMetrics } from "#api/metrics/controller-metrics.ts";
import type { Metrics } from "#base/metrics.ts";
import type { DetectorFacts, DetectorStep } from "#controllers/detector/detector-controller.ts";
import type { RunObserver } from "#runtime/run-controller.ts";
import { byResult } from "./pipeline-figures.ts";

/** Counts and times how policies are applied, and how they take templates from each other. */
export function detectorFigures(metrics: Metrics): RunObserver<DetectorFacts, DetectorStep> {
  const durations = byResult((result) => metrics.histogram(controllerMetrics.applyPolicyDuration, { result }));
  const attempts = byResult((result) => metrics.counter(controllerMetrics.applyPolicyAttempts, { result }));
  const preemptions = byResult((result) => metrics.counter(controllerMetrics.preemptions, { result }));
  return {
    step(step, { facts, result, seconds }) {
      if (step.do !== "bind") return;
      durations[result].observe(seconds);
      attempts[result].add();
      if (step.applied.because !== "preempted") return;
      preemptions[result].add();
      const { namespace = "", name } = facts.template.metadata;
      if (result === "success") metrics.counter(controllerMetrics.preemptionCounts, { namespace, name }).add();
    },
  };
}
