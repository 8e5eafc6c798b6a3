/** The steps of a pass, as the scheduler's figures call them. */
export type ScheduleStep = "Filter" | "Score" | "Select" | "AssignReplicas";

/** The parts of a step that can be told apart. */
export interface PluginTime {
  readonly plugin: string;
  readonly step: ScheduleStep;
  readonly result: PluginResult;
}

/** Whether everything passed, or something was turned away. */
export type PluginResult = "Success" | "Unschedulable";

/** Where the time of passes goes; a pass that nobody measures is handed none. */
export interface StepTimes {
  /** A clock that never goes back, in fractions of a millisecond. */
  readonly elapsedMs: () => number;
  readonly step: (step: ScheduleStep, took: { readonly result: PluginResult; readonly ms: number }) => void;
  /** Where the time of the parts goes, for passes that are looked at this closely: measuring them costs more than most take. */
  readonly sample: () => ((part: PluginTime, ms: number) => void) | undefined;
}

/** Runs one step, and tells how long it took. */
export function timed<Result>(
  times: StepTimes | undefined,
  step: ScheduleStep,
  { run, passed }: { readonly run: () => Result; readonly passed: (result: Result) => boolean },
): Result {
  if (times === undefined) return run();
  const sinceMs = times.elapsedMs();
  const result = run();
  times.step(step, { result: passed(result) ? "Success" : "Unschedulable", ms: times.elapsedMs() - sinceMs });
  return result;
}
