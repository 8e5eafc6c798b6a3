import type { PlanReport } from "#api/plan/plan-report.ts";
import { reconcileRequestAnnotation } from "#api/work/template-keys.ts";
import { systemClock } from "#app/system.ts";
import { formatMicroTime } from "#base/clock.ts";
import { ExitCode } from "../command.ts";
import type { Manifest } from "../manifests.ts";
import { type Asking, askPlan } from "../plan/ask-plan.ts";
import { renderPlan } from "../plan/render-plan.ts";
import { printDocument } from "../print/print-objects.ts";
import { pendingReason } from "./arrival-of.ts";
import type { Picked } from "./run-waves.ts";

export interface PlanNeeds extends Asking {
  readonly format: "json" | "yaml" | undefined;
}

/** The exit code of `flotilla plan` when something would change. */
const changesCode = 3;

/** Shows what would happen if all of it took effect; nothing is written. Ends as `flotilla plan` does. */
export async function planReconcile(picked: readonly Picked[], { format, ...asking }: PlanNeeds): Promise<true> {
  const { output } = asking;
  const waiting = picked.filter(({ binding }) => pendingReason(binding) !== undefined);
  const underWay = picked.length - waiting.length;
  if (underWay > 0) output.note(`${underWay} are on their way already and not planned`);
  const report = waiting.length === 0 ? nothing : await askFor(waiting, asking);
  if (format !== undefined) await printDocument(output, report, format);
  else for (const line of renderPlan(report, { ...output, summary: false })) output.line(line);
  if (report.totals.templates > 0) throw new ExitCode(changesCode);
  return true;
}

/** A request is an edit of one annotation; the rest is sent as it is, for some kinds are not taken in parts. */
function askFor(waiting: readonly Picked[], asking: Asking): Promise<PlanReport> {
  const request = { [reconcileRequestAnnotation]: formatMicroTime(systemClock.nowMs()) };
  const manifests = waiting.map(({ template, resource }): Manifest => {
    const { status: _, metadata, ...rest } = template;
    const { name, namespace, labels = {}, annotations } = metadata;
    const apiVersion = resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
    const own = {
      name,
      ...(namespace !== undefined && { namespace }),
      labels,
      annotations: { ...annotations, ...request },
    };
    return { ...rest, apiVersion, kind: resource.kind, metadata: own };
  });
  return askPlan(asking, { manifests, delete: false, serverSide: true, fieldManager: "flotilla-cli" });
}

const nothing = { totals: { templates: 0 }, edits: [], templates: [] } as unknown as PlanReport; // nothing is read of it
