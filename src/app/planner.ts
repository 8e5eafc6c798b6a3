import { setMaxListeners } from "node:events";
import type { Cluster } from "#api/cluster/cluster.ts";
import { readyCondition } from "#api/cluster/condition-reasons.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ObjectKey, ResourceId } from "#api/meta/resource-id.ts";
import type { PlannedEdit } from "#api/plan/plan-report.ts";
import { bindingNameOf } from "#api/work/derived-names.ts";
import type { Clock } from "#base/clock.ts";
import { silentMetrics } from "#base/metrics.ts";
import { bindingAt } from "#controllers/binding-informers.ts";
import type { ContentHashes } from "#controllers/execution/hashed-manifest.ts";
import { unsaidStatus } from "#controllers/scheduler/decide-placing.ts";
import { JustPlaced } from "#controllers/scheduler/just-placed.ts";
import type { Interpreter } from "#interpreter/interpreter.ts";
import { customizedInterpreter } from "#lua/customized-interpreter.ts";
import type { LuaHost } from "#lua/lua-host.ts";
import type { MemberView } from "#members/member.ts";
import { editEffect } from "#plan/edit-effect.ts";
import { ForkedCaches } from "#plan/forked-caches.ts";
import { ForkedMember } from "#plan/forked-member.ts";
import { ForkedServer } from "#plan/forked-server.ts";
import { type Outcome, StepLog } from "#plan/outcome.ts";
import { PlanClock } from "#plan/plan-clock.ts";
import { PlanReports } from "#plan/plan-reports.ts";
import { ForkedRun } from "#plan/run-to-rest.ts";
import { withTaintsInTime } from "#plan/taints-in-time.ts";
import { Customizations } from "./customizations.ts";
import type { PipelineOptions } from "./pipeline.ts";
import { forkCaches, type PipelineCaches } from "./pipeline-caches.ts";
import {
  type ControllerParts,
  runDecisions,
  runExecution,
  scheduleFactsOf,
  scheduleOptionsOf,
} from "./pipeline-controllers.ts";
import { ScheduleFigures } from "./scheduler-figures.ts";

export interface PlannerNeeds {
  readonly caches: PipelineCaches;
  readonly members: () => readonly MemberView[];
  readonly lua: Pick<LuaHost, "run">;
  readonly hashes: ContentHashes;
  readonly clock: Clock;
  readonly options: PipelineOptions;
  /** The field manager under which members see our writes. */
  readonly memberManager: string;
  /** Resolves when others have had their turn. */
  readonly pause: () => Promise<void>;
}

/** A change as the server would take it: what there is by then, and an object as it would be stored, or that it would be deleted. */
export type Edit = {
  readonly resource: ResourceId;
  readonly key: ObjectKey;
  readonly before: ApiObject | undefined;
} & ({ readonly do: "put"; readonly object: ApiObject } | { readonly do: "delete" });

/** What is there by the time of a change. */
export type ForkedState = Pick<ForkedServer, "written">;

/** Each asks for one change, given what is there by then. */
export type Edits = Iterable<(state: ForkedState) => Promise<Edit>>;

/** How far a plan looks ahead: over every delay that the system has by itself. */
const aheadMs = 20 * 60_000;
/** A plan does not keep others waiting for longer. */
const turnMs = 10;

/**
 * What changes would do, found out by the controllers themselves over a fork of the caches: nothing is written, and nothing is copied
 * but what differs. Each change has come to rest before the next is made, in the order given.
 */
export async function planEdits(needs: PlannerNeeds, edits: Edits): Promise<Outcome> {
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal); // one for every controller
  const forks = new ForkedCaches();
  const members = needs.members().map((member) => new ForkedMember(member));
  const beganMs = needs.clock.nowMs();
  const clock = new PlanClock(beganMs, aheadMs);
  const server = new ForkedServer({ caches: forks, clock });
  const log = new StepLog();
  const reached = new Set(members.map(({ name }) => name));
  const parts = partsOf(needs, { forks, server, clock, reached });
  const factsOf = scheduleFactsOf(parts);
  const { bindings, works, clusters } = parts.caches;
  const reports = new PlanReports({
    server,
    members,
    clusters,
    clock,
    bindings,
    works,
    unsaid: (binding) => unsaidStatus(factsOf(binding), parts.justPlaced),
    isTaken(cluster, { metadata, spec }) {
      const object = clusters.get({ name: cluster });
      const isRefused = log.refusals.has(`${cluster}/${metadata.name}`);
      return object !== undefined && isReady(object) && spec.suspendDispatching !== true && !isRefused;
    },
  });
  const forked = new ForkedRun({
    server,
    clock,
    signal,
    reports,
    breathe: breather(needs),
    onStep: (controller, step, facts) => log.note(controller, step, facts),
  });
  try {
    const run: ForkedRun["run"] = (controller, more) => forked.run(controller, more);
    runDecisions(run, parts);
    const sending = { ...parts, interpreter: withoutReports(parts.interpreter) };
    for (const member of members) runExecution(run, { ...sending, member, manager: needs.memberManager }, signal);
    const done: PlannedEdit[] = [];
    let isFirst = true;
    for (const next of edits) {
      if (!isFirst) await forked.goOn();
      isFirst = false;
      const edit = await next(server);
      const does = editEffect(edit.before, edit.do === "put" ? edit.object : undefined);
      if (does !== undefined) done.push({ kind: edit.resource.kind, ...edit.key, does });
      if (edit.do === "put")
        server.accept(edit.resource, withTaintsInTime(edit.object, { beganMs, nowMs: clock.nowMs() }));
      else server.delete(edit.resource, edit.key);
      await forked.rest();
    }
    return {
      edits: done,
      objects: forks.differences(),
      members: members.flatMap((member) => member.differences()),
      log,
      bindingOf: (key) => bindingAt(parts.caches.bindings, bindingKeyOf(key)),
      unready: new Set(
        [...parts.caches.clusters.all()].filter((each) => !isReady(each)).map(({ metadata }) => metadata.name),
      ),
    };
  } finally {
    stopping.abort();
    forks.close();
    for (const member of members) member.close();
  }
}

interface Fork {
  readonly forks: ForkedCaches;
  readonly server: ForkedServer;
  readonly clock: Clock;
  /** The clusters that can be talked to. */
  readonly reached: ReadonlySet<string>;
}

function partsOf(
  { caches, lua, hashes, options }: PlannerNeeds,
  { forks, server, clock, reached }: Fork,
): ControllerParts {
  const forkedCaches = forkCaches(caches, (cache) => forks.forkOf(cache));
  const customizations = new Customizations(forkedCaches.customizations);
  return {
    client: server.client(),
    caches: forkedCaches,
    customizations,
    interpreter: customizedInterpreter(customizations, lua),
    hashes,
    events: { record() {} },
    clock,
    metrics: silentMetrics,
    options,
    scheduling: scheduleOptionsOf(options),
    figures: new ScheduleFigures(silentMetrics),
    justPlaced: new JustPlaced(clock),
    reach: { of: (cluster) => (reached.has(cluster) ? "reached" : "failed"), watchLosses: () => () => {} },
    joinsLate: true,
    isBusy: () => false,
  };
}

/** What members report is not planned, and need not be read. */
function withoutReports(interpreter: Interpreter): Interpreter {
  const nothing = { ok: true, value: undefined } as const;
  return { ...interpreter, reflectStatus: () => nothing, health: () => ({ ok: true, value: true }) };
}

/** The key of the binding of a template. */
function bindingKeyOf(key: string): string {
  const [, kind, path] = key.split(" ") as [string, string, string];
  const [namespace, name] = path.split("/") as [string, string];
  return `${namespace}/${bindingNameOf({ kind, name })}`;
}

function isReady(object: ApiObject): boolean {
  const { conditions = [] } = (object as unknown as Cluster).status ?? {}; // the cache's kind
  return conditions.some(({ type, status }) => type === readyCondition.type && status === "True");
}

function breather({ clock, pause }: PlannerNeeds): () => Promise<void> | undefined {
  let sinceMs = clock.elapsedMs();
  let pausing: Promise<void> | undefined;
  return () => {
    if (pausing !== undefined || clock.elapsedMs() - sinceMs < turnMs) return pausing;
    pausing = pause().then(() => {
      sinceMs = clock.elapsedMs();
      pausing = undefined;
    });
    return pausing;
  };
}
