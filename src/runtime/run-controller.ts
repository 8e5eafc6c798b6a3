import { StatusError } from "#api/meta/status-error.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import { type Metrics, silentMetrics } from "#base/metrics.ts";
import type { Plan } from "#base/plan.ts";
import { Breath } from "./breath.ts";
import { type Controller, type Enqueue, TerminalError } from "./controller.ts";
import { controllerFigures, type TurnResult } from "./controller-figures.ts";
import { WorkQueue } from "./work-queue.ts";

/** Whether it went well. */
export type Result = "success" | "error";

/** Sees how a controller's work goes, without a part in it. */
export interface RunObserver<Facts, Step> {
  /** After each turn that found something to decide about. */
  turn?(key: string, done: { readonly result: Result; readonly seconds: number }): void;
  /** After each step. */
  step?(step: Step, done: { readonly facts: Facts; readonly result: Result; readonly seconds: number }): void;
}

export interface RunOptions<Facts, Step> {
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** How many keys are worked on at once. */
  readonly workers?: number;
  readonly metrics?: Metrics;
  readonly observer?: RunObserver<Facts, Step>;
  /** Shared by all controllers that take each other's time; one's own without it. */
  readonly breath?: Breath;
}

/** A controller at work. */
export interface RunningController {
  readonly name: string;
  readonly queue: WorkQueue;
  /** Resolves after the signal, once no worker is at work any more. */
  readonly stopped: Promise<void>;
}

/** Runs a controller until the signal aborts: its watches fill the queue, workers empty it. */
export function runController<Facts, Step>(
  controller: Controller<Facts, Step>,
  options: RunOptions<Facts, Step>,
): RunningController {
  const { clock, signal, workers = 4, observer = {}, breath = new Breath(clock) } = options;
  const log = options.log.child({ controller: controller.name });
  const figures = controllerFigures(options.metrics ?? silentMetrics, controller.name);
  const priorityOf = controller.priorityOf?.bind(controller);
  const queue = new WorkQueue({ clock, priorityOf, figures: figures.queue });
  const turn = { clock, log, signal, observer, reported: new ReportedErrors(log) };
  let busy = 0;
  const work = async () => {
    for (;;) {
      const breathing = breath.due();
      if (breathing !== undefined) await breathing;
      const key = queue.take();
      if (key === undefined) break;
      const sinceMs = clock.elapsedMs();
      const running = runOnce(controller, key, turn);
      const outcome = running instanceof Promise ? await running : running;
      figures.turned(turnResultOf(outcome), clock.elapsedMs() - sinceMs);
      queue.finish(key, outcome);
    }
    busy--;
  };
  queue.onReady(() => {
    if (busy >= workers) return;
    busy++;
    void Promise.resolve().then(work); // queueMicrotask makes a resource of each
  });
  const enqueue: Enqueue = (key, lane, afterMs = 0) =>
    afterMs > 0 ? queue.addAfter(key, afterMs) : queue.add(key, lane);
  const stops = signal.aborted ? [] : [figures.watch(queue), ...controller.watches.map((watch) => watch(enqueue))];
  const stopped = new Promise<void>((resolve) => {
    const stop = () => {
      for (const each of stops) each();
      queue.close();
      void queue.whenIdle().then(resolve);
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  return { name: controller.name, queue, stopped };
}

interface Outcome {
  readonly failed: boolean;
  readonly retryAfterMs?: number | undefined;
}

function turnResultOf({ failed, retryAfterMs }: Outcome): TurnResult {
  if (failed) return "error";
  return retryAfterMs === undefined ? "success" : "requeue_after";
}

interface Turn<Facts, Step> extends Pick<RunOptions<Facts, Step>, "clock" | "log" | "signal"> {
  readonly observer: RunObserver<Facts, Step>;
  readonly reported: ReportedErrors;
}

/** One turn, at once where nothing has to be waited for. Only here and below is a reconcile logged, and an error turned into a verdict. */
function runOnce<Facts, Step>(
  controller: Controller<Facts, Step>,
  key: string,
  turn: Turn<Facts, Step>,
): Outcome | Promise<Outcome> {
  const sinceMs = turn.clock.elapsedMs();
  try {
    const gathered = controller.gather(key, turn.signal);
    if (gathered instanceof Promise) return goOn(controller, { key, sinceMs, gathered }, turn);
    if (gathered === undefined) return nothingLeft(key, turn);
    const plan = controller.decide(gathered);
    if (plan.steps.length > 0) return goOn(controller, { key, sinceMs, gathered, plan }, turn);
    return wentWell({ key, sinceMs, plan }, turn);
  } catch (error: unknown) {
    return wentWrong({ key, sinceMs, error }, turn);
  }
}

interface Begun {
  readonly key: string;
  readonly sinceMs: number;
}

interface Gathered<Facts, Step> extends Begun {
  readonly gathered: Promise<Facts | undefined> | Facts;
  /** Where it is decided. */
  readonly plan?: Plan<Step>;
}

/** The rest of a turn, when something has been waited for or is to be done. */
async function goOn<Facts, Step>(
  controller: Controller<Facts, Step>,
  { key, sinceMs, gathered, plan: decided }: Gathered<Facts, Step>,
  turn: Turn<Facts, Step>,
): Promise<Outcome> {
  try {
    const facts = gathered instanceof Promise ? await gathered : gathered;
    if (facts === undefined) return nothingLeft(key, turn);
    const plan = decided ?? controller.decide(facts);
    await takeSteps(controller, { steps: plan.steps, facts }, turn);
    return turn.signal.aborted ? done : wentWell({ key, sinceMs, plan }, turn);
  } catch (error: unknown) {
    return wentWrong({ key, sinceMs, error }, turn);
  }
}

const done: Outcome = { failed: false };

function nothingLeft(key: string, { reported }: Pick<Turn<never, never>, "reported">): Outcome {
  reported.forget(key);
  return done;
}

function wentWell<Facts, Step>(
  { key, sinceMs, plan }: Begun & { readonly plan: Plan<Step> },
  { clock, log, observer, reported }: Turn<Facts, Step>,
): Outcome {
  const { steps, waitFor } = plan;
  observer.turn?.(key, { result: "success", seconds: (clock.elapsedMs() - sinceMs) / 1_000 });
  reported.forget(key);
  if (steps.length > 0) log.debug("reconciled", { key, steps: steps.length });
  if (waitFor === undefined) return done;
  log.debug("waiting", { key, reason: waitFor.reason });
  return { failed: false, retryAfterMs: waitFor.retryAfterMs };
}

function wentWrong<Facts, Step>(
  { key, sinceMs, error }: Begun & { readonly error: unknown },
  { clock, log, signal, observer, reported }: Turn<Facts, Step>,
): Outcome {
  if (signal.aborted) return done;
  observer.turn?.(key, { result: "error", seconds: (clock.elapsedMs() - sinceMs) / 1_000 });
  if (error instanceof TerminalError) {
    reported.report("reconcile refused", { key, error });
    return done;
  }
  // somebody else wrote first: their event brings the key again, this is only for the case that it was lost
  if (error instanceof StatusError && error.reason === "Conflict") log.debug("conflict", { key });
  else reported.report("reconcile failed", { key, error });
  return { failed: true, retryAfterMs: retryAfterMsOf(error) };
}

/** An error that stays the same is an error once; the tries that it outlives are for whoever wants details. */
class ReportedErrors {
  readonly #log: Logger;
  readonly #known = new Map<string, string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  report(message: string, { key, error }: { readonly key: string; readonly error: unknown }): void {
    const text = String(error);
    if (this.#known.get(key) === text) return this.#log.debug(`${message} as before`, { key, error });
    this.#known.set(key, text);
    this.#log.error(message, { key, error });
  }

  forget(key: string): void {
    if (this.#known.size > 0) this.#known.delete(key);
  }
}

/** All steps, as many at once as the controller allows, unless the signal aborts. */
async function takeSteps<Facts, Step>(
  controller: Controller<Facts, Step>,
  { steps, facts }: { readonly steps: readonly Step[]; readonly facts: Facts },
  turn: Turn<Facts, Step>,
): Promise<void> {
  const { signal, observer } = turn;
  const left = steps.values();
  const takeEach = async () => {
    for (const step of left) {
      if (signal.aborted) return;
      const taking =
        observer.step === undefined
          ? controller.apply(step, facts, signal)
          : takeStep(controller, { step, facts }, turn);
      if (taking instanceof Promise) await taking;
    }
  };
  const atOnce = Math.min(controller.stepsAtOnce ?? 1, steps.length);
  if (atOnce <= 1) return takeEach();
  const errors: unknown[] = [];
  const takeTheRest = async (): Promise<void> =>
    takeEach().catch((error: unknown) => {
      errors.push(error);
      return takeTheRest();
    });
  await Promise.all(Array.from({ length: atOnce }, takeTheRest));
  if (errors.length > 0) throw errors.find((error) => !(error instanceof TerminalError)) ?? errors[0]; // whatever can be retried is
}

async function takeStep<Facts, Step>(
  controller: Controller<Facts, Step>,
  { step, facts }: { readonly step: Step; readonly facts: Facts },
  { clock, signal, observer }: Turn<Facts, Step>,
): Promise<void> {
  const sinceMs = clock.elapsedMs();
  const tell = (result: Result) =>
    observer.step?.(step, { facts, result, seconds: (clock.elapsedMs() - sinceMs) / 1_000 });
  try {
    await controller.apply(step, facts, signal);
  } catch (error: unknown) {
    if (!signal.aborted) tell("error");
    throw error;
  }
  tell("success");
}

/** How long a server asked to be left alone, be it said in the error or in what caused it. */
function retryAfterMsOf(error: unknown): number | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const seconds = each instanceof StatusError ? each.details?.retryAfterSeconds : undefined;
    if (seconds !== undefined) return seconds * 1_000;
  }
  return undefined;
}
