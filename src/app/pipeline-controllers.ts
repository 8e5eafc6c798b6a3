import type { Cluster } from "#api/cluster/cluster.ts";
import { executionNamespaceOf } from "#api/cluster/namespaces.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { controllerMetrics } from "#api/metrics/controller-metrics.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import type { Metrics } from "#base/metrics.ts";
import type { Client } from "#client/client.ts";
import { workRenderer } from "#controllers/binding/render-work.ts";
import { worksController } from "#controllers/binding/works-controller.ts";
import { bindingKey } from "#controllers/binding-informers.ts";
import { clusterController } from "#controllers/cluster/cluster-controller.ts";
import { keyOfTemplate } from "#controllers/dependencies/attached-binding-controller.ts";
import { withDependencies } from "#controllers/dependencies/find-dependencies.ts";
import { followsSoon } from "#controllers/dependencies/follows-soon.ts";
import { changesHands, frozenWorks } from "#controllers/detector/active-policy.ts";
import { claimOf } from "#controllers/detector/claim.ts";
import { detectorController } from "#controllers/detector/detector-controller.ts";
import { policyController } from "#controllers/detector/policy-controller.ts";
import { executionController } from "#controllers/execution/execution-controller.ts";
import type { ContentHashes } from "#controllers/execution/hashed-manifest.ts";
import { type ClusterReach, unreachedWorksController } from "#controllers/execution/unreached-works-controller.ts";
import { namespaceController } from "#controllers/namespace/namespace-controller.ts";
import { rebalancerController } from "#controllers/rebalancer/rebalancer-controller.ts";
import { placeBinding } from "#controllers/scheduler/decide-placing.ts";
import type { JustPlaced } from "#controllers/scheduler/just-placed.ts";
import { schedulerController } from "#controllers/scheduler/scheduler-controller.ts";
import type { Interpreter } from "#interpreter/interpreter.ts";
import type { MemberView } from "#members/member.ts";
import type { Controller } from "#runtime/controller.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import type { RunningController, RunObserver } from "#runtime/run-controller.ts";
import type { ScheduleFacts, ScheduleOptions } from "#scheduling/decide-schedule.ts";
import type { StepTimes } from "#scheduling/step-times.ts";
import { templateOf } from "#selection/template.ts";
import {
  type Customizations,
  watchMeaningOfBindings,
  watchMeaningOfTemplates,
  watchMeaningOfWorks,
} from "./customizations.ts";
import { detectorFigures } from "./detector-figures.ts";
import type { PipelineOptions } from "./pipeline.ts";
import type { PipelineCaches } from "./pipeline-caches.ts";
import { memberFigures, turnFigures } from "./pipeline-figures.ts";
import { watchBindingOverrides, watchBoundTemplates } from "./pipeline-watches.ts";
import { policyPrerequisites } from "./policy-prerequisites.ts";
import { findNeedsOf, runDependencies } from "./run-dependencies.ts";
import { movesSoon, runFailover } from "./run-failover.ts";
import type { ScheduleFigures } from "./scheduler-figures.ts";

/** What the controllers work with: the running system's, or a fork of it. */
export interface ControllerParts {
  readonly client: Client;
  readonly caches: PipelineCaches;
  readonly customizations: Customizations;
  readonly interpreter: Interpreter;
  readonly hashes: ContentHashes;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly options: PipelineOptions;
  readonly scheduling: ScheduleOptions;
  readonly figures: ScheduleFigures;
  /** What was placed in the write that made or changed it. */
  readonly justPlaced: JustPlaced;
  readonly reach: ClusterReach;
  /** What admission does to a new policy, for policies that it has not seen. */
  readonly completePolicy?: (policy: ApiObject) => ApiObject;
  /** Whether the caches are forks: what they have is told to nobody again. */
  readonly joinsLate?: boolean;
  /** Whether there is more to decide or to send than can be at once. */
  readonly isBusy: () => boolean;
}

export type Run = <Facts, Step>(
  controller: Controller<Facts, Step>,
  more?: { readonly signal?: AbortSignal; readonly workers?: number; readonly observer?: RunObserver<Facts, Step> },
) => RunningController;

/** What scheduling goes by, with a stopwatch where somebody wants figures. */
export function scheduleOptionsOf({ gates }: Pick<PipelineOptions, "gates">, times?: StepTimes): ScheduleOptions {
  const { ClearTargetsWhenNoFit: clearTargetsWhenNoFit, Failover: drivesOut } = gates;
  return { clearTargetsWhenNoFit, drivesOut, ...(times === undefined ? {} : { times }) };
}

/** Facts for one cycle of scheduling about a binding. */
export function scheduleFactsOf({
  caches,
  scheduling,
  clock,
}: Pick<ControllerParts, "caches" | "scheduling" | "clock">) {
  return (binding: Binding): ScheduleFacts => ({
    binding,
    clusters: caches.snapshots.current(),
    options: scheduling,
    now: formatTime(clock.nowMs()),
  });
}

/** The template of a binding: it speaks of its own namespace alone, whoever wrote it and whatever it says. */
export function templateOfBinding({ templates }: Pick<PipelineCaches, "templates">, { metadata, spec }: Binding) {
  const { apiVersion, kind, namespace = "", name } = spec.resource;
  if (namespace !== (metadata.namespace ?? "")) return undefined;
  return templates.find(`${apiVersion} ${kind}`, namespace === "" ? name : `${namespace}/${name}`);
}

/** Runs everything that decides about templates, bindings, works and clusters, by nothing but the caches. */
export function runDecisions(run: Run, parts: ControllerParts): void {
  const { client, caches, customizations, interpreter, events, clock, metrics, options } = parts;
  const { clusters, namespaces, taintPolicies, policies, overrides, bindings, works, templates } = caches;
  const { gates } = options;
  const prerequisites = policyPrerequisites({ ...caches, prioritized: gates.PriorityBasedScheduling });
  const active = { policies: caches.policyCatalog, gates, prerequisites };
  const watchMeanings = watchMeaningOfBindings(customizations, bindings);
  const found = (binding: Binding) => templateOfBinding(caches, binding)?.template;
  const isChangingHands = (binding: Binding, template: ApiObject) =>
    claimOf(template.metadata)?.policyId !== claimOf(binding.metadata)?.policyId ||
    changesHands(active, binding, template);
  run(clusterController({ client, clusters, namespaces, taintPolicies, events, clock }));
  run(namespaceController({ client, namespaces, clusters, works, clusterOverrides: overrides[1]! }));
  run(unreachedWorksController({ client, clusters, works, reach: parts.reach }));
  run(policyController({ client, policies, templates, complete: parts.completePolicy }));
  const detector = runPlacing(run, { ...parts, prerequisites });
  run(rebalancerController({ client, rebalancers: caches.rebalancers, clock }));
  const { referrers, attached } = runDependencies(run, {
    client,
    templates,
    bindings,
    dependents: caches.dependents,
    interpreter,
    events,
    clock,
    gates,
    templateOf: found,
    isFrozen: (...bound) => frozenWorks(active, ...bound) === "all works" || isChangingHands(...bound),
    ready: () => caches.policyCatalog.whenSynced(),
    watchMeanings,
    isBusy: parts.isBusy,
  });
  const isDue = (binding: Binding) =>
    detector.queue.has(keyOfTemplate(binding)) || referrers.queue.has(bindingKey(binding));
  const isFinding = (binding: Binding) =>
    isBusy(detector) || isBusy(referrers) || attached.queue.has(keyOfTemplate(binding));
  run(
    worksController({
      ready: [caches.overrideCatalog, clusters, templates, caches.policyCatalog],
      frozen: (binding, template) => frozenWorks(active, binding, template),
      client,
      bindings,
      works,
      events,
      templateOf: found,
      interpreter,
      changesHands: isChangingHands,
      movesSoon: movesSoon({ ...parts, ...caches, gates }),
      followsSoon: (...bound) => gates.PropagateDeps && followsSoon({ bindings, isDue, isFinding }, ...bound),
      clock,
      watchTemplates: watchBoundTemplates(templates),
      watchOverrides: watchBindingOverrides(caches.overrideCatalog, { templates, bindings }),
      watchMeanings,
      renderer(binding, template) {
        const applicable = caches.overrideCatalog.candidatesFor(templateOf(template));
        const render = workRenderer({
          binding,
          template,
          overrides: applicable,
          interpreter,
          templatesTakeOver: gates.TemplateConflictResolution,
        });
        return (target) => {
          const cluster = clusters.get({ name: target.name }) as unknown as Cluster | undefined; // the informer's kind
          return cluster === undefined
            ? { ok: false, error: `cluster ${target.name} is not joined` }
            : render(target, cluster);
        };
      },
    }),
    { observer: turnFigures(metrics, controllerMetrics.bindingSyncDuration) },
  );
}

/** Whether anything is about to be done. */
function isBusy({ queue }: RunningController): boolean {
  return queue.size > 0 || queue.active > 0;
}

interface PlacingParts extends ControllerParts {
  readonly prerequisites: ReturnType<typeof policyPrerequisites>;
}

/** Runs those who say where bindings go: the detector that writes them, the scheduler, and what moves them away from failures. The first of them. */
function runPlacing(run: Run, parts: PlacingParts): RunningController {
  const { client, caches, customizations, interpreter, events, clock, metrics, options, prerequisites } = parts;
  const { scheduling, figures, justPlaced } = parts;
  const { clusters, bindings, templates, snapshots } = caches;
  const factsOf = scheduleFactsOf(parts);
  const finding = findNeedsOf({ interpreter, dependents: caches.dependents, gates: options.gates });
  const place = (binding: Binding) => {
    const sinceMs = clock.elapsedMs();
    const facts = factsOf(binding);
    const placed = placeBinding(facts);
    const seconds = (clock.elapsedMs() - sinceMs) / 1_000;
    if (placed.decision !== undefined) {
      figures.scheduled(placed.decision, { failed: false, seconds });
      justPlaced.note(facts, placed.binding, placed.decision);
    }
    return placed.binding;
  };
  const detector = run(
    detectorController({
      ready: [clusters, ...prerequisites.caches],
      client,
      templates,
      policies: caches.policyCatalog,
      prerequisites,
      watchPrerequisites: prerequisites.watch,
      bindings,
      events,
      interpreter,
      watchMeanings: watchMeaningOfTemplates(customizations, templates),
      place,
      withDependencies: (binding, template) => withDependencies(finding, binding, template),
      clock,
      gates: options.gates,
    }),
    { observer: detectorFigures(metrics) },
  );
  const scheduler = run(
    schedulerController({
      client,
      bindings,
      clusters,
      snapshots,
      events,
      clock,
      options: scheduling,
      figures,
      justPlaced,
      joinsLate: parts.joinsLate ?? false,
    }),
    { observer: figures.observer },
  );
  figures.watch(scheduler.queue);
  runFailover(run, {
    client,
    bindings,
    clusters,
    snapshots,
    scheduling,
    gates: options.gates,
    events,
    clock,
    metrics,
    timeoutMs: options.gracefulEvictionTimeoutMs,
    joinsLate: parts.joinsLate ?? false,
  });
  return detector;
}

export interface ExecutionParts extends ControllerParts {
  readonly member: MemberView;
  /** The field manager under which the member sees our writes. */
  readonly manager: string;
}

/** Runs what sends works to one member. */
export function runExecution(run: Run, parts: ExecutionParts, signal: AbortSignal): RunningController {
  const { client, caches, customizations, interpreter, hashes, events, clock, metrics, member, manager, isBusy } =
    parts;
  const { works, clusters, namespaces } = caches;
  return run(
    executionController({
      client,
      member,
      works,
      clusters,
      namespaces,
      interpreter,
      hashes,
      watchMeanings: watchMeaningOfWorks(customizations, { works, namespace: executionNamespaceOf(member.name) }),
      events,
      clock,
      manager,
      tried: memberFigures(metrics, member.name),
      settleMs: parts.options.settleMs,
      patienceMs: parts.options.patienceMs,
      isBusy,
    }),
    { signal, observer: turnFigures(metrics, controllerMetrics.workSyncDuration) },
  );
}
