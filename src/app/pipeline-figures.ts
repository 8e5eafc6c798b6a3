import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { controllerMetrics } from "#api/metrics/controller-metrics.ts";
import { appliedCondition } from "#api/work/condition-reasons.ts";
import type { Work } from "#api/work/work.ts";
import type { Clock } from "#base/clock.ts";
import { type Counter, Handles, type Histogram, type MetricDefinition, type Metrics } from "#base/metrics.ts";
import { PolicyCatalog } from "#controllers/detector/policy-catalog.ts";
import type { ExecutionStep } from "#controllers/execution/decide-execution.ts";
import type { Informer } from "#runtime/informer.ts";
import type { Result, RunObserver } from "#runtime/run-controller.ts";
import type { Template } from "#selection/template.ts";

/** Times how long the whole turns of a controller take. */
export function turnFigures(
  metrics: Metrics,
  definition: MetricDefinition<"histogram", "result">,
): RunObserver<unknown, unknown> {
  const durations = byResult((result) => metrics.histogram(definition, { result }));
  return { turn: (_, { result, seconds }) => durations[result].observe(seconds) };
}

/** Times how long it takes to ask each cluster how it is. */
export function clusterStatusFigures(metrics: Metrics): RunObserver<unknown, unknown> {
  const durations = new Handles((name) =>
    metrics.histogram(controllerMetrics.clusterStatusDuration, { member_cluster: name }),
  );
  return { turn: (name, { seconds }) => durations.of(name).observe(seconds) };
}

/** The policies, with the time it takes to find those of a template. */
export class TimedPolicyCatalog extends PolicyCatalog {
  readonly #clock: Clock;
  readonly #durations: Histogram;

  constructor(informers: readonly Informer<ApiObject>[], { clock, metrics }: { clock: Clock; metrics: Metrics }) {
    super(informers);
    this.#clock = clock;
    this.#durations = metrics.histogram(controllerMetrics.matchPolicyDuration, {});
  }

  override candidatesFor(template: Template) {
    const sinceMs = this.#clock.elapsedMs();
    const found = super.candidatesFor(template);
    this.#durations.observe((this.#clock.elapsedMs() - sinceMs) / 1_000);
    return found;
  }
}

/** Counts what is written to one member. */
export function memberFigures(metrics: Metrics, member: string) {
  const handles = new Handles<Counter>((key) => {
    const [verb, result, apiversion, kind, more] = key.split(" ") as [string, string, string, string, string];
    const labels = { result, apiversion, kind, member_cluster: member };
    if (verb === "create") return metrics.counter(controllerMetrics.createResource, { ...labels, recreate: more });
    if (verb === "update")
      return metrics.counter(controllerMetrics.updateResource, { ...labels, operationResult: more });
    return metrics.counter(controllerMetrics.deleteResource, labels);
  });
  return (action: ExecutionStep, { work, result }: { readonly work: Work; readonly result: Result }) => {
    if (!("resource" in action)) return;
    const key = `${result} ${apiVersionOf(action.resource)} ${action.resource.kind}`;
    if (action.do === "create") handles.of(`create ${key} ${wasApplied(work)}`).add();
    else if (action.do === "delete") handles.of(`delete ${key} -`).add();
    else handles.of(`update ${key} ${result === "success" ? "updated" : "none"}`).add();
  };
}

function apiVersionOf({ group, version }: ResourceId): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Whether what is created now was there before. */
function wasApplied({ status }: Work): boolean {
  return (
    status?.conditions?.some(({ type, status: value }) => type === appliedCondition.type && value === "True") ?? false
  );
}

/** One handle for each result. */
export function byResult<Handle>(make: (result: Result) => Handle): Readonly<Record<Result, Handle>> {
  return { success: make("success"), error: make("error") };
}
