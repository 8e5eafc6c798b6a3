import { StatusError } from "#api/meta/status-error.ts";
import type { PlanReport } from "#api/plan/plan-report.ts";
import { systemClock } from "#app/system.ts";
import { waitUntil } from "#app/wait-until.ts";
import { HintedError } from "#base/hinted-error.ts";
import { ExitCode, type Output } from "../command.ts";
import type { Connection } from "../connect.ts";
import { compareOutcome } from "./compare-outcome.ts";
import type { WorkRecords } from "./work-records.ts";

export interface Watched {
  readonly report: PlanReport;
  /** What was sent where when the plan was made. */
  readonly before: WorkRecords;
  /** Asks for the same plan again. */
  readonly again: () => Promise<PlanReport>;
  readonly timeoutMs: number;
}

/** Looks on while somebody makes the planned change, and says whether it came out as planned. */
export async function watchOutcome(
  connection: Connection,
  { report, before, again, timeoutMs }: Watched,
  output: Output,
): Promise<void> {
  output.note("waiting until the manifests are applied and nothing is left to do (Ctrl-C ends this)");
  let quiet = 0;
  const isOver = async () => {
    quiet = (await isDone(again)) ? quiet + 1 : 0;
    return quiet >= 2; // what was just applied may not have been seen yet
  };
  if (!(await waitUntil(isOver, { clock: systemClock, timeoutMs, intervalMs: 1_000 })))
    throw new HintedError(
      "cannot say how it came out: something is left to do yet",
      "give it more time with --timeout",
    );
  const differences = await compareOutcome(connection, { report, before });
  for (const line of differences) output.line(line);
  if (differences.length > 0) throw new ExitCode(1);
  output.line(`As planned: ${report.totals.templates} templates compared.`);
}

/** Whether the change has been made, and all that follows from it; what was to be deleted is not found any more. */
async function isDone(again: Watched["again"]): Promise<boolean> {
  try {
    return (await again()).totals.templates === 0;
  } catch (error: unknown) {
    if (error instanceof StatusError && error.reason === "NotFound") return true;
    throw error;
  }
}
