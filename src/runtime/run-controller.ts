import { StatusError } from "#api/meta/status-error.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import { type Controller, TerminalError } from "./controller.ts";
import { WorkQueue } from "./work-queue.ts";

export interface RunOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** How many keys are worked on at once. */
  readonly workers?: number;
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
  options: RunOptions,
): RunningController {
  const { clock, signal, workers = 4 } = options;
  const log = options.log.child({ controller: controller.name });
  const queue = new WorkQueue({ clock });
  let busy = 0;
  const work = async () => {
    for (let key = queue.take(); key !== undefined; key = queue.take()) {
      queue.finish(key, await runOnce(controller, key, { log, signal }));
    }
    busy--;
  };
  queue.onReady(() => {
    if (busy >= workers) return;
    busy++;
    queueMicrotask(() => void work());
  });
  const stops = signal.aborted ? [] : controller.watches.map((watch) => watch((key, lane) => queue.add(key, lane)));
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

/** One turn; the only place that logs a reconcile and turns an error into a verdict. */
async function runOnce<Facts, Step>(
  controller: Controller<Facts, Step>,
  key: string,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<Outcome> {
  try {
    const facts = await controller.gather(key, signal);
    if (facts === undefined) return { failed: false };
    const { steps, waitFor } = controller.decide(facts);
    for (const step of steps) {
      if (signal.aborted) return { failed: false };
      await controller.apply(step, facts, signal);
    }
    if (steps.length > 0) log.debug("reconciled", { key, steps: steps.length });
    if (waitFor !== undefined) log.debug("waiting", { key, reason: waitFor.reason });
    return { failed: false, retryAfterMs: waitFor?.retryAfterMs };
  } catch (error: unknown) {
    if (signal.aborted) return { failed: false };
    if (error instanceof TerminalError) {
      log.error("reconcile refused", { key, error });
      return { failed: false };
    }
    // somebody else wrote first: their event brings the key again, this is only for the case that it was lost
    if (error instanceof StatusError && error.reason === "Conflict") log.debug("conflict", { key });
    else log.error("reconcile failed", { key, error });
    return { failed: true, retryAfterMs: retryAfterMsOf(error) };
  }
}

/** How long a server asked to be left alone, be it said in the error or in what caused it. */
function retryAfterMsOf(error: unknown): number | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const seconds = each instanceof StatusError ? each.details?.retryAfterSeconds : undefined;
    if (seconds !== undefined) return seconds * 1_000;
  }
  return undefined;
}
