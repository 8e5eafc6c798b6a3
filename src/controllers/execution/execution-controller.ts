import type { Cluster } from "#api/cluster/cluster.ts";
import { readyCondition } from "#api/cluster/condition-reasons.ts";
import { executionNamespaceOf } from "#api/cluster/namespaces.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { keyOf, type ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { workEvents } from "#api/work/event-reasons.ts";
import { executionFinalizer } from "#api/work/finalizers.ts";
import { type Work, Works } from "#api/work/work.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import { isJsonObject } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";
import type { Client } from "#client/client.ts";
import { Settling } from "#controllers/settling.ts";
import type { Member } from "#members/member.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import type { Informer } from "#runtime/informer.ts";
import { decideExecution, type ExecutionFacts, type ExecutionStep, type ManifestFacts } from "./decide-execution.ts";
import { decideWorkStatus } from "./decide-work-status.ts";
import { watchMember, watchReadiness, watchWorks } from "./execution-watches.ts";
import {
  failuresOf,
  healthOf,
  interpretManifest,
  type ManifestInterpreter,
  type ManifestMeaning,
  unobserved,
} from "./interpret-manifest.ts";
import { letGo } from "./let-go.ts";
import { RepairPace } from "./repair-pace.ts";

export interface ExecutionNeeds {
  readonly client: Client;
  readonly member: Member;
  /** Of all clusters; this one's are picked by namespace. */
  readonly works: Informer<ApiObject>;
  readonly clusters: Informer<ApiObject>;
  readonly interpreter: ManifestInterpreter;
  /** Works with kinds that are read in another way from now on, by their names in this cluster's namespace. */
  readonly watchMeanings: Watch;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** The field manager under which we write to members. */
  readonly manager: string;
  /** How long news from the member are gathered before they are written: a rollout is many changes, and one status. */
  readonly settleMs: number;
}

interface ReadManifest extends ManifestFacts, ManifestMeaning {}

interface Facts extends ExecutionFacts {
  readonly manifests: readonly ReadManifest[];
  /** What is left to do in the member. */
  readonly plan: Plan<ExecutionStep>;
  readonly status: NonNullable<Work["status"]> | undefined;
  /** How long until the news have settled. */
  readonly settlesInMs: number;
  /** How long until what somebody undid may be put right again. */
  readonly mayRepairInMs: number;
}

type Step =
  | { readonly do: "execute"; readonly actions: readonly ExecutionStep[] }
  | { readonly do: "putStatus"; readonly status: NonNullable<Work["status"]> }
  | { readonly do: "reportFailures"; readonly failures: ReturnType<typeof failuresOf> };

const works = resourceOf(Works);

/** Sends the works of one member, keeps them so, and reports back. Each member has its own: a slow one holds up no other. */
export function executionController(needs: ExecutionNeeds): Controller<Facts, Step> {
  const { member, clock } = needs;
  const namespace = executionNamespaceOf(member.name);
  const failures = new Map<string, Failure>();
  const pace = new RepairPace(clock);
  const settling = new Settling(clock, needs.settleMs);
  const discovery = new Map<string, ResourceId>();

  return {
    name: `execution/${member.name}`,
    watches: [
      watchWorks(needs.works, namespace),
      watchMember(member, { namespace, settling }),
      watchReadiness(needs),
      needs.watchMeanings,
    ],

    async gather(name, signal) {
      await Promise.all([needs.works.whenSynced(), needs.clusters.whenSynced()]);
      const work = needs.works.get({ namespace, name }) as unknown as Work | undefined; // the informer's kind
      if (work === undefined) {
        failures.delete(name);
        pace.forget(name);
        settling.settle(name);
        return undefined;
      }
      const cluster = needs.clusters.get({ name: member.name }) as unknown as Cluster | undefined; // as above
      const isReady =
        cluster?.status?.conditions?.some(({ type, status }) => type === readyCondition.type && status === "True") ??
        false;
      const manifests = isReady
        ? await look(needs, { work, discovery, signal })
        : manifestsOf(work).map((manifest) => ({
            manifest,
            resource: undefined,
            observed: undefined,
            ...unobserved(manifest),
          }));
      const facts = {
        work,
        manifests,
        isReady,
        isLeaving: cluster === undefined || cluster.metadata.deletionTimestamp !== undefined,
        unreachable: undefined,
        manager: needs.manager,
      };
      const plan = decideExecution(facts);
      // nothing is left to do: whatever failed before was done nevertheless, only its answer was lost, or somebody else did it
      if (plan.steps.length === 0) failures.delete(name);
      const status =
        work.metadata.deletionTimestamp === undefined
          ? statusOf(needs, facts, settled(failures.get(name), needs))
          : undefined;
      if (status === undefined) settling.settle(name);
      const settlesInMs = settling.leftMs(name, isUnderWay(status) ? "under way" : "final");
      const leaves = work.metadata.deletionTimestamp !== undefined;
      const mayRepairInMs = leaves ? 0 : pace.waitMs(name, work.metadata.generation);
      return { ...facts, plan, status, settlesInMs, mayRepairInMs };
    },

    decide(facts) {
      const { steps, waitFor } = facts.plan;
      if (steps.length > 0 && facts.mayRepairInMs > 0)
        return { steps: [], waitFor: { reason: "repairs are undone", retryAfterMs: facts.mayRepairInMs } };
      if (steps.length > 0) return { steps: [{ do: "execute", actions: steps }] };
      const failures = facts.manifests.flatMap(failuresOf);
      if (facts.status === undefined && failures.length === 0)
        return { steps: [], ...(waitFor === undefined ? {} : { waitFor }) };
      if (facts.settlesInMs > 0)
        return { steps: [], waitFor: { reason: "news from the member are gathered", retryAfterMs: facts.settlesInMs } };
      return {
        steps: [
          ...(facts.status === undefined ? [] : [{ do: "putStatus", status: facts.status } as const]),
          ...(failures.length === 0 ? [] : [{ do: "reportFailures", failures } as const]),
        ],
        ...(failures.some(({ again }) => again) && {
          waitFor: { reason: "a rule did not answer", retryAfterMs: 10_000 },
        }),
      };
    },

    async apply(step, facts) {
      const { work } = facts;
      const { name } = work.metadata;
      if (step.do === "putStatus") {
        await putStatus(needs.client, work, step.status);
        return settling.settle(name);
      }
      if (step.do === "reportFailures") {
        for (const { reason, message } of step.failures)
          needs.events.record(work, { type: "Warning", reason, message });
        return;
      }
      const failure = await execute(needs, work, step.actions);
      if (failure === undefined) {
        failures.delete(name);
        pace.sent(name, work.metadata.generation);
        settling.note(name);
        return;
      }
      const known = failures.get(name) ?? { message: "", sinceMs: clock.nowMs() };
      failures.set(name, { ...known, message: failure.message });
      const status =
        work.metadata.deletionTimestamp === undefined
          ? statusOf(needs, facts, settled(failures.get(name), needs))
          : undefined;
      if (status !== undefined && known.message !== "") {
        await putStatus(needs.client, work, status);
        needs.events.record(work, { type: "Warning", reason: workEvents.sync.failed, message: failure.message });
      }
      throw failure;
    },
  };
}

/** Whether the member is not there yet: what it says now is about to change. */
function isUnderWay(status: Work["status"]): boolean {
  return status?.manifestStatuses?.some(({ health }) => health === "Unhealthy") ?? false;
}

interface Failure {
  readonly message: string;
  readonly sinceMs: number;
}

/** What fails for a moment, such as a namespace that is on its way there, too, is not worth a word. */
function settled(failure: Failure | undefined, { clock, settleMs }: ExecutionNeeds): string | undefined {
  return failure !== undefined && clock.nowMs() - failure.sinceMs >= settleMs ? failure.message : undefined;
}

/** Runs all actions; one that fails does not keep the others from being tried. */
async function execute(
  needs: ExecutionNeeds,
  work: Work,
  actions: readonly ExecutionStep[],
): Promise<Error | undefined> {
  const failures: string[] = [];
  let cause: unknown;
  for (const action of actions) {
    if (action.do === "releaseWork" && failures.length > 0) break;
    try {
      await run(needs, work, action);
    } catch (error: unknown) {
      failures.push(error instanceof Error ? error.message : String(error));
      cause = error;
    }
  }
  return failures.length === 0 ? undefined : new Error(failures.join("; "), { cause });
}

async function run({ client, member }: ExecutionNeeds, work: Work, action: ExecutionStep): Promise<void> {
  switch (action.do) {
    case "create":
      await member.client.create(action.resource, action.manifest as ApiObject); // a whole manifest
      return;
    case "update": {
      const { observed, manifest } = action;
      const metadata = { ...manifest["metadata"], resourceVersion: observed.metadata.resourceVersion };
      await member.client.update(action.resource, { ...manifest, metadata } as unknown as ApiObject); // as above
      return;
    }
    case "delete": {
      // the very object that we saw: one that somebody made anew in the meantime is not ours to delete
      const preconditions = { uid: action.observed.metadata.uid };
      await member.client.delete(action.resource, keyOf(action.observed), {
        propagationPolicy: "Background",
        preconditions,
      });
      return;
    }
    case "letGo":
      await member.client.update(action.resource, letGo(action.observed));
      return;
    case "refuse":
      throw new Error(action.error);
    case "releaseWork": {
      const { metadata } = work;
      const finalizers = (metadata.finalizers ?? []).filter((name) => name !== executionFinalizer);
      await client.patch(works, keyOf({ metadata }), {
        type: "merge",
        patch: { metadata: { finalizers, resourceVersion: metadata.resourceVersion } },
      });
      return;
    }
  }
}

/** The objects that a work carries; what is no object is not ours and is passed over. */
function manifestsOf({ spec }: Work): readonly Fields[] {
  return (spec.workload?.manifests ?? []).filter(isJsonObject) as readonly Fields[]; // just made sure
}

interface Look {
  readonly work: Work;
  readonly discovery: Map<string, ResourceId>;
  readonly signal: AbortSignal;
}

/** What the member has of each manifest: from the cache of what is ours, else from the member itself (it may have one that is not). */
async function look(
  { member, interpreter }: ExecutionNeeds,
  { work, discovery, signal }: Look,
): Promise<readonly ReadManifest[]> {
  const leaves = work.metadata.deletionTimestamp !== undefined;
  return Promise.all(
    manifestsOf(work).map(async (manifest) => {
      const resource = await resourceFor(member, manifest, { discovery, signal });
      if (resource === undefined) return { manifest, resource, observed: undefined, ...unobserved(manifest) };
      const cache = member.managed(resource);
      await cache.whenSynced();
      const key = keyOf(manifest as ApiObject);
      const observed = cache.get(key) ?? (await member.client.get(resource, key));
      if (observed === undefined || leaves) return { manifest, resource, observed, ...unobserved(manifest) };
      const meaning = interpretManifest(interpreter, { manifest, observed });
      return { manifest, resource, observed, ...(meaning instanceof Promise ? await meaning : meaning) };
    }),
  );
}

async function resourceFor(
  member: Member,
  { apiVersion, kind }: Fields,
  { discovery, signal }: Omit<Look, "work">,
): Promise<ResourceId | undefined> {
  const type = `${apiVersion} ${kind}`;
  if (!discovery.has(type)) {
    for (const resource of await member.connection.resources(signal)) {
      discovery.set(
        `${resource.group === "" ? resource.version : `${resource.group}/${resource.version}`} ${resource.kind}`,
        resource,
      );
    }
  }
  return discovery.get(type);
}

function statusOf(
  { clock }: ExecutionNeeds,
  { work, manifests, isReady }: Pick<Facts, "work" | "manifests" | "isReady">,
  error: string | undefined,
) {
  const placed = isReady && manifests.every(({ observed }) => observed !== undefined);
  return decideWorkStatus({
    work,
    manifests: manifests.map(({ manifest, observed, status, health }, ordinal) => ({
      manifest,
      observed,
      status: status.ok ? status.value : reportedBefore(work, ordinal),
      health: observed === undefined ? "Unknown" : healthOf(health),
    })),
    outcome:
      error !== undefined
        ? { applied: false, error }
        : placed && work.spec.suspendDispatching !== true
          ? { applied: true }
          : "pending",
    now: formatTime(clock.nowMs()),
  });
}

/** Where a rule fails, what was reported before stays. */
function reportedBefore({ status }: Work, ordinal: number): Fields | undefined {
  const item = status?.manifestStatuses?.find(({ identifier }) => identifier.ordinal === ordinal);
  return item?.status as Fields | undefined; // plain JSON
}

async function putStatus(client: Client, work: Work, status: NonNullable<Work["status"]>): Promise<void> {
  try {
    await client.updateStatus(works, { ...work, status } as unknown as ApiObject); // a Work
  } catch (error: unknown) {
    if (!(error instanceof StatusError && error.reason === "NotFound")) throw error; // it went in the meantime
  }
}
