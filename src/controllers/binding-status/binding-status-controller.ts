import { resourceOf } from "#api/kind.ts";
import type { Manifest } from "#api/meta/manifest.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { fullyAppliedCondition, scheduledCondition } from "#api/work/condition-reasons.ts";
import { bindingEvents } from "#api/work/event-reasons.ts";
import { type Binding, type BindingStatus, ResourceBindings } from "#api/work/resource-binding.ts";
import type { Work } from "#api/work/work.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import { jsonEquals } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";
import type { Client } from "#client/client.ts";
import { bindingAt, bindingKey } from "#controllers/binding-informers.ts";
import { Settling } from "#controllers/settling.ts";
import { type Interpretation, notUnderstood } from "#interpreter/interpretation.ts";
import { type Interpreter, onceKnown } from "#interpreter/interpreter.ts";
import { onceSynced, type Synced } from "#runtime/all-synced.ts";
import { type Controller, TerminalError, type Watch } from "#runtime/controller.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import type { Informer } from "#runtime/informer.ts";
import { scheduledText } from "#scheduling/scheduled-status.ts";

export interface BindingStatusNeeds {
  readonly client: Client;
  /** What must have been seen whole first, such as templates and clusters: a template that is not there yet would be left without its status. */
  readonly read: readonly Synced[];
  /** Of both scopes, indexed by `id`: their permanent id. */
  readonly bindings: readonly Informer<ApiObject>[];
  readonly works: Informer<ApiObject>;
  readonly worksOf: (binding: Binding) => ReadonlyMap<string, Work>;
  readonly bindingIdsOf: (work: ApiObject) => readonly string[];
  readonly templateOf: (
    binding: Binding,
  ) => { readonly template: ApiObject; readonly resource: ResourceId } | undefined;
  /** A binding with what the scheduler has left to be said of it. */
  readonly withUnsaid: (binding: Binding) => Binding;
  /** What the works say of a binding. */
  readonly aggregate: (binding: Binding, works: readonly Work[], now: string) => BindingStatus;
  readonly interpreter: Pick<Interpreter, "aggregateStatus">;
  /** Bindings of kinds that are read in another way from now on, by their keys. */
  readonly watchMeanings: Watch;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** How long news are gathered before they are written, and those of what is under way. */
  readonly settleMs: number;
  readonly patienceMs: number;
  /** Whether there is more to do than can be done at once. */
  readonly isBusy: () => boolean;
}

interface Report {
  readonly binding: Binding;
  readonly template: { readonly template: ApiObject; readonly resource: ResourceId } | undefined;
  /** The template with what the members say of it. */
  readonly aggregated: Interpretation<Manifest> | undefined;
}

interface Facts extends Report {
  /** What is to be written, once the news have settled. */
  readonly steps: readonly Step[];
  readonly settlesInMs: number;
}

type Step =
  | { readonly do: "putBindingStatus"; readonly status: BindingStatus }
  | { readonly do: "putTemplateStatus"; readonly status: Fields }
  | { readonly do: "reportFailure"; readonly error: string };

/** Brings what the works report back onto their binding, and onto the template that the user looks at. */
export function bindingStatusController(needs: BindingStatusNeeds): Controller<Facts, Step> {
  const { client, clock } = needs;
  // works settle first; what they report in time is told in one
  const settling = new Settling({ ...needs, settleMs: 1.5 * needs.settleMs, patienceMs: 2 * needs.patienceMs });
  const look = (key: string): Facts | undefined | Promise<Facts> => {
    const binding = bindingAt(needs.bindings, key);
    if (binding === undefined || binding.metadata.deletionTimestamp !== undefined) return void settling.settle(key);
    const unquietMs = settling.quietInMs(key);
    if (unquietMs > 0) return gathering(binding, unquietMs);
    const now = formatTime(clock.nowMs());
    const reporting = [...needs.worksOf(binding).values()];
    const told = needs.aggregate(binding, reporting, now);
    const settlesInMs = settling.leftMs(key, isUnderWay(told) ? "under way" : "final");
    if (settlesInMs > 0) return gathering(binding, settlesInMs);
    const full = needs.withUnsaid(binding);
    const status = full === binding ? told : needs.aggregate(full, reporting, now);
    const template = needs.templateOf(binding);
    const items = status.aggregatedStatus ?? [];
    const manifest = template?.template as unknown as Manifest | undefined; // an object with its identity
    return onceKnown(manifest && needs.interpreter.aggregateStatus(manifest, { items, now }), (aggregated) => {
      const steps = reports({ binding, status, template, aggregated });
      if (steps.length === 0) settling.settle(key);
      return { binding, template, aggregated, steps, settlesInMs };
    });
  };
  return {
    name: "binding-status",
    watches: [
      watchWorks(needs, settling),
      ...needs.bindings.map((each) => watchBindings(each, settling)),
      needs.watchMeanings,
      settling.watch,
    ],

    gather: (key) => onceSynced(needs.read, () => look(key)),

    decide: decideReport,

    async apply(step, { binding, template }) {
      settling.settle(bindingKey(binding));
      if (step.do === "putBindingStatus") {
        const resource = resourceOf(ResourceBindings.kindFor(binding.metadata.namespace));
        await client.updateStatus(resource, { ...binding, status: step.status } as unknown as ApiObject); // a binding
        if (isScheduled(step.status) && !isScheduled(binding.status)) {
          const reason = bindingEvents.schedule.succeed;
          needs.events.record(binding, { type: "Normal", reason, message: scheduledText(binding.spec) });
        }
        return;
      }
      if (template === undefined) return;
      if (step.do === "reportFailure") {
        const reason = bindingEvents.aggregateStatus.failed;
        return needs.events.record(template.template, { type: "Warning", reason, message: step.error });
      }
      if (!(await putTemplateStatus(client, template, step.status))) return;
      needs.events.record(template.template, {
        type: "Normal",
        reason: bindingEvents.aggregateStatus.succeed,
        message: "Updated the status with what the clusters report.",
      });
    },
  };
}

/** Facts about a binding whose works are still telling. */
function gathering(binding: Binding, settlesInMs: number): Facts {
  return { binding, template: undefined, aggregated: undefined, steps: [], settlesInMs };
}

function isScheduled({ conditions = [] }: BindingStatus = {}): boolean {
  return conditions.some(({ type, status }) => type === scheduledCondition.type && status === "True");
}

/** Whether works are on their way still, or what they brought is not well yet: what they report now is about to change. */
function isUnderWay({ conditions = [], aggregatedStatus = [] }: BindingStatus): boolean {
  const applied = conditions.some(({ type, status }) => type === fullyAppliedCondition.type && status === "True");
  return !applied || aggregatedStatus.some(({ health }) => health === "Unhealthy");
}

/**
 * Whether there still was a template to put it on. A definition without the subresource has no place for a status, and one that refuses it will do so again: trying again would not
 * help.
 */
async function putTemplateStatus(
  client: Client,
  { template, resource }: NonNullable<Facts["template"]>,
  status: Fields,
): Promise<boolean> {
  try {
    await client.updateStatus(resource, { ...template, status });
    return true;
  } catch (error: unknown) {
    if (!(error instanceof StatusError && (error.reason === "NotFound" || error.reason === "Invalid"))) throw error;
    if (error.reason === "NotFound" && error.details?.name === template.metadata.name) return false; // deleted meanwhile
    throw new TerminalError(`cannot put the status of ${template.kind} ${template.metadata.name}: ${error.message}`);
  }
}

/** What is not yet as the members say. */
function reports({ binding, status, template, aggregated }: Report & { readonly status: BindingStatus }): Step[] {
  return [
    ...(jsonEquals(status, binding.status ?? {}) ? [] : [{ do: "putBindingStatus", status } as const]),
    ...(aggregated === undefined ? [] : templateSteps(aggregated, template?.template["status"] ?? {})),
  ];
}

function decideReport({ steps, aggregated, settlesInMs }: Facts): Plan<Step> {
  if (settlesInMs <= 0)
    return {
      steps,
      ...(aggregated?.ok === false && aggregated.why === "unavailable" && { waitFor: notUnderstood(aggregated) }),
    };
  return { steps: [], waitFor: { reason: "reports are gathered", retryAfterMs: settlesInMs } };
}

/** A kind without a rule has a status that is its own; where the rule fails, the old status stays. */
function templateSteps(aggregated: Interpretation<Manifest>, old: unknown): readonly Step[] {
  if (!aggregated.ok) return aggregated.why === "no rule" ? [] : [{ do: "reportFailure", error: aggregated.message }];
  const status = aggregated.value["status"] as Fields | undefined; // plain JSON
  return status === undefined || jsonEquals(status, old) ? [] : [{ do: "putTemplateStatus", status }];
}

function watchWorks({ works, bindings, bindingIdsOf }: BindingStatusNeeds, settling: Settling): Watch {
  return (enqueue) =>
    works.subscribe(({ before, after, initial }) => {
      if (initial && !works.synced) return; // every binding is looked at anyway, once all works are known
      if (isGoing(before) && (after === undefined || isGoing(after))) return; // nothing was told of it any more
      const work = after ?? before!;
      for (const id of bindingIdsOf(work)) {
        for (const binding of bindings.flatMap((informer) => informer.byIndex("id", id))) {
          const key = bindingKey(binding);
          enqueue(key, "background", initial ? 0 : settling.note(key));
        }
      }
    });
}

/** Whether a work is on its way out, and is no longer part of what its binding tells. */
function isGoing(work: ApiObject | undefined): boolean {
  return work?.metadata.deletionTimestamp !== undefined;
}

/** Targets decide what counts as fully applied; where they are new, reports are about to come. */
function watchBindings(informer: Informer<ApiObject>, settling: Settling): Watch {
  return (enqueue) =>
    informer.subscribe(({ before, after, initial }) => {
      if (after === undefined || before?.metadata.generation === after.metadata.generation) return;
      const key = bindingKey(after);
      enqueue(key, "background", initial ? 0 : settling.note(key));
    });
}
