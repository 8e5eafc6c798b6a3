import { type IncomingEvent, schedulerMetrics } from "#api/metrics/scheduler-metrics.ts";
import type { Clock } from "#base/clock.ts";
import { Handles, type Metrics } from "#base/metrics.ts";
import type { SchedulerFacts, SchedulerFigures } from "#controllers/scheduler/scheduler-controller.ts";
import type { RunObserver } from "#runtime/run-controller.ts";
import type { WorkQueue } from "#runtime/work-queue.ts";
import type { ScheduleDecision } from "#scheduling/decide-schedule.ts";
import type { PluginTime, StepTimes } from "#scheduling/step-times.ts";

/** Of so many passes, one is measured filter by filter. */
const sampledPasses = 10;

/** Counts and times what is scheduled, by whichever controller does it. */
export class ScheduleFigures implements SchedulerFigures {
  readonly observer: RunObserver<SchedulerFacts, unknown>;
  readonly #metrics: Metrics;
  readonly #incoming: Handles<{ add(): void }>;
  readonly #attempts: Handles<{ add(): void }>;
  readonly #durations: Handles<{ observe(seconds: number): void }>;
  #unschedulable: () => number = () => 0;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    this.#incoming = new Handles((event) => metrics.counter(schedulerMetrics.incoming, { event }));
    const labels = (key: string) => {
      const [result, schedule_type] = key.split(" ") as [string, string];
      return { result, schedule_type };
    };
    this.#attempts = new Handles((key) => metrics.counter(schedulerMetrics.attempts, labels(key)));
    this.#durations = new Handles((key) => metrics.histogram(schedulerMetrics.duration, labels(key)));
    const scheduled = this.scheduled.bind(this);
    this.observer = {
      step(_, { facts: { placing }, result, seconds }) {
        // a status that only says what is so already is no attempt
        const isAttempt = placing.spec !== undefined || placing.decision.attempts.at(-1)?.failure !== undefined;
        if (isAttempt) scheduled(placing.decision, { failed: result === "error", seconds });
      },
    };
  }

  incoming(event: IncomingEvent): void {
    this.#incoming.of(event).add();
  }

  /** A binding went through a cycle; one that needed none counts for nothing. */
  scheduled(decision: ScheduleDecision, { failed, seconds }: { readonly failed: boolean; readonly seconds: number }) {
    const { trigger, attempts } = decision;
    if (trigger === undefined) return;
    const result = failed || attempts.at(-1)?.failure !== undefined ? "error" : "scheduled";
    const key = `${result} ${trigger.type}`;
    this.#attempts.of(key).add();
    this.#durations.of(key).observe(seconds);
  }

  /** Where the time of passes goes; the single filters of one pass in ten. */
  times(clock: Pick<Clock, "elapsedMs">): StepTimes {
    const steps = new Handles((schedule_step) => this.#metrics.histogram(schedulerMetrics.step, { schedule_step }));
    const points = new Handles((key) => {
      const [extension_point, result] = key.split(" ") as [string, string];
      return this.#metrics.histogram(schedulerMetrics.extensionPoint, { extension_point, result });
    });
    const plugins = new Handles((key) => {
      const [plugin, extension_point, result] = key.split(" ") as [string, string, string];
      return this.#metrics.histogram(schedulerMetrics.plugin, { plugin, extension_point, result });
    });
    const plugin = ({ plugin: name, step, result }: PluginTime, ms: number) =>
      plugins.of(`${name} ${step} ${result}`).observe(ms / 1_000);
    let passes = 0;
    return {
      elapsedMs: () => clock.elapsedMs(),
      step(step, { result, ms }) {
        steps.of(step).observe(ms / 1_000);
        if (step === "Filter" || step === "Score") points.of(`${step} ${result}`).observe(ms / 1_000);
      },
      sample: () => (passes++ % sampledPasses === 0 ? plugin : undefined),
    };
  }

  /** How many bindings found no place. */
  unschedulable(read: () => number): void {
    this.#unschedulable = read;
    this.#metrics.reading(schedulerMetrics.pending, { queue: "unschedulable" }, read);
  }

  /** The scheduler's queue exists: what waits there is read when somebody looks. */
  watch(queue: Pick<WorkQueue, "size" | "delayed">): void {
    this.#metrics.reading(schedulerMetrics.pending, { queue: "active" }, () => queue.size);
    const backoff = () => Math.max(0, queue.delayed - this.#unschedulable());
    this.#metrics.reading(schedulerMetrics.pending, { queue: "backoff" }, backoff);
  }
}
