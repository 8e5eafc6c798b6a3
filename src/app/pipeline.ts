import { setMaxListeners } from "node:events";
import { type FeatureGates, gatesWith } from "#api/feature-gates.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Explanation } from "#api/plan/explanation.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Metrics } from "#base/metrics.ts";
import type { Random } from "#base/random.ts";
import type { Client } from "#client/client.ts";
import { bindingIdsOf, worksOf } from "#controllers/binding/works-controller.ts";
import { bindingStatusController } from "#controllers/binding-status/binding-status-controller.ts";
import { clusterStatusController } from "#controllers/cluster-status/cluster-status-controller.ts";
import { ContentHashes } from "#controllers/execution/hashed-manifest.ts";
import { unsaidStatus } from "#controllers/scheduler/decide-placing.ts";
import { JustPlaced } from "#controllers/scheduler/just-placed.ts";
import { aggregateBindingStatus } from "#interpreter/aggregate-binding.ts";
import { customizedInterpreter } from "#lua/customized-interpreter.ts";
import { LuaHost } from "#lua/lua-host.ts";
import type { MemberConnector } from "#members/member-connection.ts";
import { MemberSet } from "#members/member-set.ts";
import type { Outcome } from "#plan/outcome.ts";
import { Breath } from "#runtime/breath.ts";
import { type Controller, TerminalError } from "#runtime/controller.ts";
import { createEventRecorder } from "#runtime/event-recorder.ts";
import { type RunningController, runController } from "#runtime/run-controller.ts";
import { completedPolicy } from "./admitted-writes.ts";
import { followClusters } from "./cluster-figures.ts";
import { Customizations, watchMeaningOfBindings } from "./customizations.ts";
import { explainTemplate } from "./explain-template.ts";
import { openCaches } from "./pipeline-caches.ts";
import {
  type ControllerParts,
  type Run,
  runDecisions,
  runExecution,
  scheduleFactsOf,
  scheduleOptionsOf,
  templateOfBinding,
} from "./pipeline-controllers.ts";
import { clusterStatusFigures } from "./pipeline-figures.ts";
import { type Edits, type PlannerNeeds, planEdits } from "./planner.ts";
import { ScheduleFigures } from "./scheduler-figures.ts";
import { systemClock } from "./system.ts";

export interface PipelineNeeds {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly served: {
    readonly resources: () => readonly ResourceId[];
    readonly subscribe: (listener: () => void) => () => void;
  };
  readonly connector: MemberConnector;
  /** The field manager under which members see our writes. */
  readonly memberManager: string;
  readonly options: PipelineOptions;
  /** Changes controllers before they run: for tests that break one on purpose. */
  readonly wrap?: <Facts, Step>(controller: Controller<Facts, Step>) => Controller<Facts, Step>;
}

export interface PipelineOptions {
  readonly gates: FeatureGates;
  /** How long reports are gathered before they are written: until there are no more for so long. */
  readonly settleMs: number;
  /** The same at most, of what is under way. */
  readonly patienceMs: number;
  readonly clusterStatusPeriodMs: number;
  readonly clusterFailureThresholdMs: number;
  /** A member that says that it is well again is believed at once by default: what waits for it has waited long enough. */
  readonly clusterSuccessThresholdMs: number;
  /** How long a copy in a cluster that is being left waits for its replacement. */
  readonly gracefulEvictionTimeoutMs: number;
  /** How many of our objects of one kind are kept in memory for each member; it is asked for those beyond, whenever they change. */
  readonly maxManaged: number;
}

export const defaultPipelineOptions: PipelineOptions = {
  gates: gatesWith(),
  settleMs: 20,
  patienceMs: 1_000,
  clusterStatusPeriodMs: 10_000,
  clusterFailureThresholdMs: 30_000,
  clusterSuccessThresholdMs: 0,
  gracefulEvictionTimeoutMs: 600_000,
  maxManaged: 200_000,
};

/** Keys worked on at once by each controller: writes of many keys share one commit to disk, writes of few wait for theirs. */
const workers = 32;
/** So many turns of what decides at once are more than somebody's few edits: what there is to send goes before reports. */
const manyTurns = 8;

/** Members that do not answer must not keep others from being asked. */
const membersAskedAtOnce = 10_000;

/** The propagation pipeline at work. */
export interface RunningPipeline extends AsyncDisposable {
  /** Whether nothing is being worked on or waits to be; delayed looks at members do not count. */
  readonly isIdle: () => boolean;
  /** The caches that have not been filled once yet. */
  readonly waitsFor: () => readonly string[];
  /** Resolves when every cache has been filled once. */
  readonly whenReady: () => Promise<void>;
  /** What changes would do, by the caches of now. */
  readonly plan: (edits: Edits) => Promise<Outcome>;
  /** Why a template is where it is, by its key; undefined when there is none. */
  readonly explain: (key: string) => Explanation | undefined;
}

/** Starts every controller of the control plane over one set of caches. */
export function startPipeline(needs: PipelineNeeds): RunningPipeline {
  const { client, clock, log, metrics, options } = needs;
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal); // one for every controller and stream
  const { caches, all } = openCaches({ ...needs, gates: options.gates }, signal);
  const { clusters, secrets, templates } = caches;
  const members = new MemberSet({
    clusters,
    secrets,
    connector: needs.connector,
    clock,
    log,
    maxManaged: options.maxManaged,
  });
  const lua = new LuaHost({ clock: systemClock }); // scripts run in real time, whatever the pipeline's clock says
  const customizations = new Customizations(caches.customizations);
  const figures = new ScheduleFigures(metrics);
  const deciding: RunningController[] = [];
  const sending = new Set<RunningController>();
  const parts: ControllerParts = {
    client,
    caches,
    customizations,
    interpreter: customizedInterpreter(customizations, lua),
    hashes: new ContentHashes(),
    events: createEventRecorder({ client, clock, random: needs.random, log, component: "flotilla" }),
    clock,
    metrics,
    options,
    scheduling: scheduleOptionsOf(options, figures.times(clock)),
    figures,
    justPlaced: new JustPlaced(clock),
    reach: {
      of: (cluster) => members.reachOf(cluster),
      watchLosses: (enqueue) =>
        members.subscribe(({ joined, member }) => {
          if (!joined) enqueue(member.name, "background");
        }),
    },
    completePolicy: (policy) => completedPolicy(policy, needs.random),
    isBusy: () => turnsOf(deciding) >= manyTurns || isAnyBehind(sending, workers),
  };
  const running: RunningController[] = [];
  const breath = new Breath(clock);
  const run: Run = (controller, more = {}) => {
    const started = runController(needs.wrap?.(controller) ?? controller, {
      clock,
      log,
      signal,
      workers,
      metrics,
      breath,
      ...more,
    });
    running.push(started);
    return started;
  };
  followClusters(metrics, clusters);
  runDecisions(run, parts);
  deciding.push(...running);
  runReports(run, { ...parts, members, log, isBusy: () => parts.isBusy() || turnsOf(sending) >= manyTurns });
  members.subscribe(({ joined, member }) => {
    if (!joined) return;
    const sender = runExecution(run, { ...parts, member, manager: needs.memberManager }, member.signal);
    sending.add(sender);
    void sender.stopped.then(() => sending.delete(sender));
  });
  members.start(signal);
  templates.start(signal);

  const planning: PlannerNeeds = {
    caches,
    hashes: parts.hashes,
    members: () => members.all(),
    lua,
    clock,
    options,
    memberManager: needs.memberManager,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  };
  return {
    plan: (edits) => planEdits(planning, edits),
    explain: (key) => explainTemplate(planning, key),
    isIdle: () => running.every(({ queue }) => queue.size === 0 && queue.active === 0),
    waitsFor: () =>
      all()
        .filter(({ synced }) => !synced)
        .map(({ resource }) => resource.resource),
    whenReady: async () => void (await Promise.all(all().map((cache) => cache.whenSynced()))),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await lua[Symbol.asyncDispose]();
      await Promise.all(running.map(({ queue }) => queue.whenIdle()));
    },
  };
}

/** How many keys controllers are at. */
function turnsOf(controllers: Iterable<RunningController>): number {
  let sum = 0;
  for (const { queue } of controllers) sum += queue.active;
  return sum;
}

/** Whether more is to be sent to a member at once than can be. Asked for each work: nothing is copied. */
function isAnyBehind(sending: Iterable<RunningController>, workers: number): boolean {
  for (const { queue } of sending) if (queue.urgent > workers) return true;
  return false;
}

interface ReportParts extends ControllerParts {
  readonly members: MemberSet;
  readonly log: Logger;
}

/** Runs what brings back how things are in members: onto clusters, bindings and templates. */
function runReports(run: Run, parts: ReportParts): void {
  const { client, caches, customizations, interpreter, events, clock, log, metrics, members, options, isBusy } = parts;
  const { clusters, bindings, works } = caches;
  const factsOf = scheduleFactsOf(parts);
  run(
    clusterStatusController({
      client,
      clusters,
      members,
      clock,
      log,
      periodMs: options.clusterStatusPeriodMs,
      thresholds: { failureMs: options.clusterFailureThresholdMs, successMs: options.clusterSuccessThresholdMs },
    }),
    { workers: membersAskedAtOnce, observer: clusterStatusFigures(metrics) },
  );
  run(
    bindingStatusController({
      client,
      read: [caches.templates, caches.clusters, works, ...bindings],
      bindings,
      works,
      worksOf: (binding) => worksOf(works, binding),
      bindingIdsOf,
      templateOf: (binding) => templateOfBinding(caches, binding),
      withUnsaid(binding) {
        const status = unsaidStatus(factsOf(binding), parts.justPlaced);
        return status === undefined ? binding : { ...binding, status };
      },
      aggregate(binding, reporting, now) {
        const status = aggregateBindingStatus(binding, { works: reporting, now });
        if (!status.ok)
          throw new TerminalError(`cannot aggregate the status of ${binding.metadata.name}: ${status.message}`);
        return status.value;
      },
      interpreter,
      watchMeanings: watchMeaningOfBindings(customizations, bindings),
      events,
      clock,
      settleMs: options.settleMs,
      patienceMs: options.patienceMs,
      isBusy,
    }),
  );
}
