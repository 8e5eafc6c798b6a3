import type { PlannedEdit } from "#api/plan/plan-report.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { Work } from "#api/work/work.ts";
import type { DetectorFacts, DetectorStep } from "#controllers/detector/detector-controller.ts";
import type { ExecutionStep } from "#controllers/execution/decide-execution.ts";
import { templateKey, templateOf } from "#selection/template.ts";
import type { ObjectDifference } from "./forked-caches.ts";
import type { MemberDifference } from "./forked-member.ts";

/** What would come of changes, once everything has come to rest. */
export interface Outcome {
  /** What they do to the very objects that they are about. */
  readonly edits: readonly PlannedEdit[];
  readonly objects: readonly ObjectDifference[];
  readonly members: readonly MemberDifference[];
  readonly log: StepLog;
  /** The binding of a template, by the template's key, as it would be. */
  readonly bindingOf: (key: string) => Binding | undefined;
  /** Clusters that would get nothing just now: nobody can reach them, or they are not well. */
  readonly unready: ReadonlySet<string>;
}

/** What controllers said while they worked, as far as no object shows it. */
export class StepLog {
  /** By which rule each template was claimed last, by its key. */
  readonly rules = new Map<string, string>();
  /** Why a member would refuse a work, by `cluster/work`; of the last try. */
  readonly refusals = new Map<string, string>();

  /** Takes note of a step. */
  note(controller: string, step: unknown, facts: unknown): void {
    if (controller === "detector") this.#claimed(step as DetectorStep, facts as DetectorFacts); // that controller's
    if (!controller.startsWith("execution/")) return;
    const { do: does, actions } = step as { readonly do: string; readonly actions: readonly ExecutionStep[] }; // as above
    if (does !== "execute") return;
    const { work } = facts as { readonly work: Work };
    const key = `${controller.slice("execution/".length)}/${work.metadata.name}`;
    const refused = actions.find((action) => action.do === "refuse");
    if (refused === undefined) this.refusals.delete(key);
    else this.refusals.set(key, refused.error);
  }

  #claimed(step: DetectorStep, { template }: DetectorFacts): void {
    const key = templateKey(templateOf(template));
    if (step.do !== "bind" || (step.applied.because === "still matches" && this.rules.has(key))) return;
    this.rules.set(key, step.applied.because);
  }
}
