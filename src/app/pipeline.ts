import { setMaxListeners } from "node:events";
import { WorkloadRebalancers } from "#api/apps/workload-rebalancer.ts";
import { type Cluster, Clusters } from "#api/cluster/cluster.ts";
import { clusterNamespace, executionNamespaceOf } from "#api/cluster/namespaces.ts";
import { ResourceInterpreterCustomizations } from "#api/config/resource-interpreter-customization.ts";
import { type FeatureGates, gatesWith } from "#api/feature-gates.ts";
import { type Kind, resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { controllerMetrics } from "#api/metrics/controller-metrics.ts";
import { ClusterTaintPolicies } from "#api/policy/cluster-taint-policy.ts";
import { OverridePolicies } from "#api/policy/override-policy.ts";
import { PropagationPolicies } from "#api/policy/propagation-policy.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { Works } from "#api/work/work.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Metrics } from "#base/metrics.ts";
import type { Random } from "#base/random.ts";
import type { Client } from "#client/client.ts";
import { OverrideCatalog } from "#controllers/binding/override-catalog.ts";
import { renderWork } from "#controllers/binding/render-work.ts";
import { bindingIdsOf, worksController, worksOf } from "#controllers/binding/works-controller.ts";
import { bindingStatusController } from "#controllers/binding-status/binding-status-controller.ts";
import { clusterController } from "#controllers/cluster/cluster-controller.ts";
import { clusterStatusController } from "#controllers/cluster-status/cluster-status-controller.ts";
import { frozenWorks } from "#controllers/detector/active-policy.ts";
import { detectorController } from "#controllers/detector/detector-controller.ts";
import { policyController } from "#controllers/detector/policy-controller.ts";
import { prerequisitesOf } from "#controllers/detector/prerequisites.ts";
import { TemplateCatalog } from "#controllers/detector/template-catalog.ts";
import { executionController } from "#controllers/execution/execution-controller.ts";
import { namespaceController } from "#controllers/namespace/namespace-controller.ts";
import { rebalancerController } from "#controllers/rebalancer/rebalancer-controller.ts";
import { ClusterSnapshots } from "#controllers/scheduler/cluster-snapshots.ts";
import { placeBinding, unsaidStatus } from "#controllers/scheduler/decide-placing.ts";
import { schedulerController } from "#controllers/scheduler/scheduler-controller.ts";
import { aggregateBindingStatus } from "#interpreter/aggregate-binding.ts";
import { customizedInterpreter } from "#lua/customized-interpreter.ts";
import { LuaHost } from "#lua/lua-host.ts";
import type { MemberConnector } from "#members/member-connection.ts";
import { MemberSet } from "#members/member-set.ts";
import { type Controller, TerminalError } from "#runtime/controller.ts";
import { createEventRecorder } from "#runtime/event-recorder.ts";
import { type IndexFunction, Informer } from "#runtime/informer.ts";
import { type RunningController, type RunObserver, runController } from "#runtime/run-controller.ts";
import { templateOf } from "#selection/template.ts";
import { followClusters } from "./cluster-figures.ts";
import {
  Customizations,
  watchMeaningOfBindings,
  watchMeaningOfTemplates,
  watchMeaningOfWorks,
} from "./customizations.ts";
import { detectorFigures } from "./detector-figures.ts";
import { clusterStatusFigures, memberFigures, TimedPolicyCatalog, turnFigures } from "./pipeline-figures.ts";
import { watchBindingOverrides, watchBoundTemplates } from "./pipeline-watches.ts";
import { policyPrerequisites, prerequisiteIndex, priorityClasses } from "./policy-prerequisites.ts";
import { bindingIndexes, runDependencies } from "./run-dependencies.ts";
import { failoverIndexes, runFailover } from "./run-failover.ts";
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
  /** How long reports are gathered before they are written. */
  readonly settleMs: number;
  readonly clusterStatusPeriodMs: number;
  readonly clusterFailureThresholdMs: number;
  /** How long a copy in a cluster that is being left waits for its replacement. */
  readonly gracefulEvictionTimeoutMs: number;
}

export const defaultPipelineOptions: PipelineOptions = {
  gates: gatesWith(),
  settleMs: 100,
  clusterStatusPeriodMs: 10_000,
  clusterFailureThresholdMs: 30_000,
  gracefulEvictionTimeoutMs: 600_000,
};

/** Keys worked on at once by each controller: writes of many keys share one commit to disk, writes of few wait for theirs. */
const workers = 32;

/** Members that do not answer must not keep others from being asked. */
const membersAskedAtOnce = 10_000;
const secretResource: ResourceId = { group: "", version: "v1", resource: "secrets", kind: "Secret", namespaced: true };

/** The propagation pipeline at work. */
export interface RunningPipeline extends AsyncDisposable {
  /** Whether nothing is being worked on or waits to be; delayed looks at members do not count. */
  readonly isIdle: () => boolean;
  /** The caches that have not been filled once yet. */
  readonly waitsFor: () => readonly string[];
  /** Resolves when every cache has been filled once. */
  readonly whenReady: () => Promise<void>;
}

/** Starts every controller of the control plane over one set of caches. */
export function startPipeline(needs: PipelineNeeds): RunningPipeline {
  const { client, clock, log, metrics, options } = needs;
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal); // one for every controller and stream
  const caches: Informer<ApiObject>[] = [];
  const follow = (
    resource: ResourceId,
    indexes: Readonly<Record<string, IndexFunction<ApiObject>>> = {},
    options: { readonly namespace?: string } = {},
  ) => {
    const informer = new Informer<ApiObject>({ client, resource, clock, log, indexes, options });
    informer.start(signal);
    caches.push(informer);
    return informer;
  };
  const both = (
    twins: { readonly namespaced: Kind; readonly cluster: Kind },
    indexes?: Readonly<Record<string, IndexFunction<ApiObject>>>,
  ) => [twins.namespaced, twins.cluster].map((kind) => follow(resourceOf(kind), indexes));

  const namespaces = follow({ group: "", version: "v1", resource: "namespaces", kind: "Namespace", namespaced: false });
  const clusters = follow(resourceOf(Clusters));
  const policies = both(PropagationPolicies, { [prerequisiteIndex]: prerequisitesOf });
  const overrides = both(OverridePolicies);
  const bindings = both(ResourceBindings, { id: bindingIdsOf, ...bindingIndexes, ...failoverIndexes(options.gates) });
  const works = follow(resourceOf(Works), {
    binding: bindingIdsOf,
    namespace: ({ metadata }) => [metadata.namespace ?? ""],
  });
  const templates = new TemplateCatalog({ client, clock, log, served: needs.served });
  const policyCatalog = new TimedPolicyCatalog(policies, { clock, metrics });
  const secrets = follow(secretResource, {}, { namespace: clusterNamespace });
  const members = new MemberSet({ clusters, secrets, connector: needs.connector, clock, log });
  const snapshots = new ClusterSnapshots(clusters);
  const events = createEventRecorder({ client, clock, random: needs.random, log, component: "flotilla" });
  const lua = new LuaHost({ clock: systemClock }); // scripts run in real time, whatever the pipeline's clock says
  const customizations = new Customizations(follow(resourceOf(ResourceInterpreterCustomizations)));
  const interpreter = customizedInterpreter(customizations, lua);
  const { ClearTargetsWhenNoFit: clearTargetsWhenNoFit, Failover: drivesOut } = options.gates;
  const scheduleFigures = new ScheduleFigures(metrics);
  const scheduling = { clearTargetsWhenNoFit, drivesOut, times: scheduleFigures.times(clock) };
  const scheduleFacts = (binding: Binding) => ({
    binding,
    clusters: snapshots.current(),
    options: scheduling,
    now: formatTime(clock.nowMs()),
  });
  const withUnsaid = (binding: Binding): Binding => {
    const status = unsaidStatus(scheduleFacts(binding));
    return status === undefined ? binding : { ...binding, status };
  };
  const place = (binding: Binding) => {
    const sinceMs = clock.elapsedMs();
    const placed = placeBinding(scheduleFacts(binding));
    const seconds = (clock.elapsedMs() - sinceMs) / 1_000;
    if (placed.decision !== undefined) scheduleFigures.scheduled(placed.decision, { failed: false, seconds });
    return placed.binding;
  };
  // a binding speaks of its own namespace alone, whoever wrote it and whatever it says
  const found = ({ metadata, spec }: Binding) => {
    const { apiVersion, kind, namespace = "", name } = spec.resource;
    if (namespace !== (metadata.namespace ?? "")) return undefined;
    return templates.get(`${apiVersion} ${kind} ${namespace}/${name}`);
  };
  const overrideCatalog = new OverrideCatalog(overrides);

  const prerequisites = policyPrerequisites({
    policies,
    overrides,
    priorityClasses: follow(priorityClasses),
    templates,
    prioritized: options.gates.PriorityBasedScheduling,
  });

  const active = { policies: policyCatalog, gates: options.gates, prerequisites };

  const running: RunningController[] = [];
  const isBusy = () => running.some(({ queue }) => queue.size > workers);
  const run = <Facts, Step>(
    controller: Controller<Facts, Step>,
    more: {
      readonly signal?: AbortSignal;
      readonly workers?: number;
      readonly observer?: RunObserver<Facts, Step>;
    } = {},
  ) => {
    const started = runController(needs.wrap?.(controller) ?? controller, {
      clock,
      log,
      signal,
      workers,
      metrics,
      ...more,
    });
    running.push(started);
    return started;
  };
  followClusters(metrics, clusters);
  const taintPolicies = follow(resourceOf(ClusterTaintPolicies));
  run(clusterController({ client, clusters, namespaces, taintPolicies, events, clock }));
  run(
    clusterStatusController({
      client,
      clusters,
      members,
      clock,
      log,
      periodMs: options.clusterStatusPeriodMs,
      thresholdMs: options.clusterFailureThresholdMs,
    }),
    { workers: membersAskedAtOnce, observer: clusterStatusFigures(metrics) },
  );
  run(
    namespaceController({
      client,
      namespaces,
      clusters,
      works,
      clusterOverrides: overrides[1]!,
    }),
  );
  run(policyController({ client, policies, templates }));
  run(
    detectorController({
      ready: () => Promise.all([clusters.whenSynced(), prerequisites.whenSynced()]),
      client,
      templates,
      policies: policyCatalog,
      prerequisites,
      watchPrerequisites: prerequisites.watch,
      bindings,
      events,
      interpreter,
      watchMeanings: watchMeaningOfTemplates(customizations, templates),
      place,
      clock,
      gates: options.gates,
    }),
    { observer: detectorFigures(metrics) },
  );
  run(rebalancerController({ client, rebalancers: follow(resourceOf(WorkloadRebalancers)), clock }));
  const scheduler = run(
    schedulerController({
      client,
      bindings,
      clusters,
      snapshots,
      events,
      clock,
      options: scheduling,
      figures: scheduleFigures,
    }),
    { observer: scheduleFigures.observer },
  );
  scheduleFigures.watch(scheduler.queue);
  run(
    worksController({
      ready: () => Promise.all([overrideCatalog, clusters, templates, policyCatalog].map((each) => each.whenSynced())),
      frozen: (binding, template) => frozenWorks(active, binding, template),
      client,
      bindings,
      works,
      events,
      templateOf: (binding) => found(binding)?.template,
      watchTemplates: watchBoundTemplates(templates),
      watchOverrides: watchBindingOverrides(overrideCatalog, { templates, bindings }),
      watchMeanings: watchMeaningOfBindings(customizations, bindings),
      render(binding, template, target) {
        const cluster = clusters.get({ name: target.name }) as unknown as Cluster | undefined; // the informer's kind
        if (cluster === undefined) return { ok: false, error: `cluster ${target.name} is not joined` };
        return renderWork({
          binding,
          template,
          target,
          cluster,
          overrides: overrideCatalog.candidatesFor(templateOf(template)),
          interpreter,
        });
      },
    }),
    { observer: turnFigures(metrics, controllerMetrics.bindingSyncDuration) },
  );
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
  });
  runDependencies(run, {
    client,
    templates,
    bindings,
    interpreter,
    events,
    clock,
    gates: options.gates,
    templateOf: (binding) => found(binding)?.template,
    isFrozen: (...bound) => frozenWorks(active, ...bound) === "all works",
    ready: () => policyCatalog.whenSynced(),
    watchMeanings: watchMeaningOfBindings(customizations, bindings),
  });
  run(
    bindingStatusController({
      client,
      bindings,
      works,
      worksOf: (binding) => worksOf(works, binding),
      bindingIdsOf,
      templateOf: found,
      withUnsaid,
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
      isBusy,
    }),
  );
  members.subscribe(({ joined, member }) => {
    if (!joined) return;
    run(
      executionController({
        client,
        member,
        works,
        clusters,
        interpreter,
        watchMeanings: watchMeaningOfWorks(customizations, { works, namespace: executionNamespaceOf(member.name) }),
        events,
        clock,
        manager: needs.memberManager,
        tried: memberFigures(metrics, member.name),
        settleMs: options.settleMs,
        isBusy,
      }),
      { signal: member.signal, observer: turnFigures(metrics, controllerMetrics.workSyncDuration) },
    );
  });
  members.start(signal);
  templates.start(signal);

  return {
    isIdle: () => running.every(({ queue }) => queue.size === 0 && queue.active === 0),
    waitsFor: () =>
      [...caches, ...templates.caches()].filter(({ synced }) => !synced).map(({ resource }) => resource.resource),
    whenReady: async () =>
      void (await Promise.all([...caches, ...templates.caches()].map((cache) => cache.whenSynced()))),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await lua[Symbol.asyncDispose]();
      await Promise.all(running.map(({ queue }) => queue.whenIdle()));
    },
  };
}
