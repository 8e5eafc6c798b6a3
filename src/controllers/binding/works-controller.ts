import { clusterOfExecutionNamespace } from "#api/cluster/namespaces.ts";
import { resourceOf } from "#api/kind.ts";
import type { Manifest } from "#api/meta/manifest.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf } from "#api/meta/resource-id.ts";
import { policyPendingCondition } from "#api/work/condition-reasons.ts";
import { bindingEvents } from "#api/work/event-reasons.ts";
import { isHeldBack } from "#api/work/released-clusters.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import type { TargetCluster } from "#api/work/target-cluster.ts";
import { type Work, Works } from "#api/work/work.ts";
import type { Clock } from "#base/clock.ts";
import { jsonEquals } from "#base/json.ts";
import type { Client } from "#client/client.ts";
import { bindingAt, bindingKey } from "#controllers/binding-informers.ts";
import type { SentDependency } from "#controllers/dependencies/follows-soon.ts";
import { OwnWrites } from "#controllers/own-writes.ts";
import { Patience } from "#controllers/patience.ts";
import { putWork, worksAtOnce } from "#controllers/put-work.ts";
import { allKnown, type Interpreter, onceKnown } from "#interpreter/interpreter.ts";
import { onceSynced, type Synced } from "#runtime/all-synced.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import type { Informer } from "#runtime/informer.ts";
import {
  decideWorks,
  type Frozen,
  type RenderResult,
  targetClusters,
  type WorksFacts,
  type WorksStep,
} from "./decide-works.ts";

export interface WorksNeeds {
  readonly client: Client;
  /** Of both scopes. */
  readonly bindings: readonly Informer<ApiObject>[];
  /** Indexed by `binding`: the permanent id of the binding they belong to. */
  readonly works: Informer<ApiObject>;
  readonly templateOf: (binding: Binding) => ApiObject | undefined;
  /** Templates whose content changed, by the keys of their bindings. */
  readonly watchTemplates: Watch;
  /** Override policies that changed, by the keys of the bindings they concern. */
  readonly watchOverrides: Watch;
  /** Bindings of kinds that are read in another way from now on, by their keys. */
  readonly watchMeanings: Watch;
  /** Which works stay as they are, because something waits that nobody has asked for yet. */
  readonly frozen: (binding: Binding, template: ApiObject) => Frozen;
  /** What renders a template for each of its targets. */
  readonly renderer: (
    binding: Binding,
    template: ApiObject,
  ) => (target: TargetCluster) => RenderResult | Promise<RenderResult>;
  readonly interpreter: Pick<Interpreter, "replicaCount">;
  /** Whether another policy has taken over the template of a binding, or does so at once. */
  readonly changesHands: (binding: Binding, template: ApiObject) => boolean;
  /** Whether a binding goes to other clusters at once. */
  readonly movesSoon: (binding: Binding) => boolean;
  /** Whether a binding comes to follow its referrers to other clusters at once, or to follow any. */
  readonly followsSoon: (sent: SentDependency) => boolean;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** Everything else that rendering looks at, and that has to be seen whole first: a manifest without its overrides must not go out. */
  readonly ready: readonly Synced[];
}

const works = resourceOf(Works);

/** How long works wait for a binding that is about to follow its template, or to move: what is sent before is sent twice. */
const followMs = 500;

/** How long it takes those who say who needs what to be heard, mostly: nothing tells when nothing comes of it. */
const heardMs = 50;

/** What is read of a binding, and how long its works may wait until it has followed its template. */
interface GatheredWorks extends WorksFacts {
  readonly waitsMs: number;
}

type Gathering = GatheredWorks | undefined | Promise<GatheredWorks | undefined>;

/** Keeps the works of every binding, namespaced or cluster-scoped, as decideWorks wants them. */
export function worksController(needs: WorksNeeds): Controller<GatheredWorks, WorksStep> {
  const { client, events } = needs;
  const own = new OwnWrites();
  const writer: typeof client = {
    ...client,
    update: (resource, object) => own.change(object, () => client.update(resource, object)),
  };
  const read = [...needs.ready, needs.works, ...needs.bindings];
  const patience = new Patience(needs.clock);
  return {
    name: "binding",
    watches: [
      ...needs.bindings.map(watchBindings),
      watchWorks(needs, own),
      needs.watchTemplates,
      needs.watchOverrides,
      needs.watchMeanings,
    ],

    stepsAtOnce: worksAtOnce,
    gather: (key) => onceSynced(read, () => gatherWorks(needs, { key, patience })),

    decide: (facts) =>
      facts.waitsMs > 0
        ? { steps: [], waitFor: { reason: "the binding is about to change", retryAfterMs: facts.waitsMs } }
        : decideWorks(facts),

    apply(step, { binding, works: present }) {
      switch (step.do) {
        case "putWork":
          return putWork(writer, step.work, present.get(step.cluster));
        case "deleteWork": {
          const { deletionTimestamp, uid } = step.work.metadata;
          if (deletionTimestamp !== undefined) return;
          return client.delete(works, keyOf(step.work as unknown as ApiObject), { preconditions: { uid } }); // a Work
        }
        case "reportFailure":
          events.record(binding, {
            type: "Warning",
            reason: bindingEvents.syncWork.failed,
            message: `Failed to render the work for cluster ${step.cluster}: ${step.error}`,
          });
          return;
        case "releaseBinding": {
          const { finalizer } = ResourceBindings.traits[binding.kind];
          const finalizers = (binding.metadata.finalizers ?? []).filter((name) => name !== finalizer);
          const patch = { metadata: { finalizers, resourceVersion: binding.metadata.resourceVersion } };
          const resource = resourceOf(ResourceBindings.kindFor(binding.metadata.namespace));
          return client.patch(resource, keyOf(binding as unknown as ApiObject), { type: "merge", patch }); // a binding
        }
      }
    },
  };
}

interface Turn {
  readonly key: string;
  readonly patience: Patience;
}

function gatherWorks(needs: WorksNeeds, { key, patience }: Turn): Gathering {
  const binding = bindingAt(needs.bindings, key);
  if (binding === undefined) return void patience.end(key);
  const template = needs.templateOf(binding);
  const present = worksOf(needs.works, binding);
  const facts = { binding, template, works: present };
  return onceKnown(
    followsInMs(needs, facts, () => patience.leftMs(key, followMs)),
    (waitsMs): Gathering => {
      if (waitsMs > 0) return { binding, template, works: present, rendered: new Map(), waitsMs };
      return onceKnown(renderAll(needs, facts), (rendered) => {
        patience.end(key);
        return { binding, template, works: present, rendered, waitsMs };
      });
    },
  );
}

/**
 * How long it pays to wait for the binding: its template asks for other replicas than it knows of, or belongs to another policy, so it
 * is about to follow; or it is about to leave clusters, or its referrers are, which get nothing new.
 */
function followsInMs(
  { interpreter, changesHands, movesSoon, followsSoon }: WorksNeeds,
  { binding, template, works: present }: Omit<WorksFacts, "rendered">,
  leftMs: () => number,
): number | Promise<number> {
  if (template === undefined || binding.metadata.deletionTimestamp !== undefined) return 0;
  if (changesHands(binding, template)) return leftMs(); // its policy may say that nothing is to be sent
  if (present.size === 0) return 0;
  if (movesSoon(binding)) return leftMs();
  const isLeaving = () => isLeavingClusters(binding, present);
  if (followsSoon({ binding, object: template, isLeaving })) return Math.min(leftMs(), heardMs);
  return onceKnown(
    interpreter.replicaCount(template as unknown as Manifest), // an object with its identity
    (count) => (count.ok && count.value !== (binding.spec.replicas ?? 0) ? leftMs() : 0),
  );
}

/** Whether works are where the binding does not want them any more. */
function isLeavingClusters({ spec }: Binding, present: ReadonlyMap<string, Work>): boolean {
  const wanted = new Set(targetClusters(spec).map(({ name }) => name));
  return [...present.keys()].some((cluster) => !wanted.has(cluster));
}

/** The template as each target should receive it; nothing where nothing is sent. */
function renderAll(
  { renderer, frozen }: WorksNeeds,
  { binding, template, works: present }: Omit<WorksFacts, "rendered">,
): WorksFacts["rendered"] | Promise<WorksFacts["rendered"]> {
  if (template === undefined || binding.metadata.deletionTimestamp !== undefined) return new Map();
  const kept = frozen(binding, template);
  if (kept === "all works") return new Map();
  const targets = targetClusters(binding.spec).filter(
    ({ name }) => (kept === "nothing" || !present.has(name)) && !isHeldBack(template.metadata, name),
  );
  if (targets.length === 0) return new Map();
  const render = renderer(binding, template);
  return onceKnown(allKnown(targets.map((target) => render(target))), (results) => {
    const rendered = new Map<string, RenderResult>();
    for (const [index, result] of results.entries()) rendered.set(targets[index]!.name, result);
    return rendered;
  });
}

/** The works of a binding by cluster, found by its permanent id. */
export function worksOf(informer: Informer<ApiObject>, binding: Binding): ReadonlyMap<string, Work> {
  const id = binding.metadata.labels?.[ResourceBindings.traits[binding.kind].idLabel] ?? "";
  const works = new Map<string, Work>();
  if (id === "") return works;
  for (const work of informer.byIndex("binding", id))
    works.set(clusterOfExecutionNamespace(work.metadata.namespace ?? "") ?? "", work as unknown as Work); // the informer's kind
  return works;
}

/** The permanent ids under which a work is found; for the informer of works. */
export function bindingIdsOf({ metadata }: ApiObject): readonly string[] {
  const ids: string[] = [];
  for (const label of idLabels) {
    const id = metadata.labels?.[label];
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

const idLabels = Object.values(ResourceBindings.traits).map(({ idLabel }) => idLabel);

function watchBindings(informer: Informer<ApiObject>): Watch {
  return (enqueue) =>
    informer.subscribe(({ before, after, initial }) => {
      if (after === undefined) return;
      const same =
        before !== undefined &&
        before.metadata.generation === after.metadata.generation &&
        before.metadata.deletionTimestamp === after.metadata.deletionTimestamp &&
        jsonEquals(before.metadata.labels, after.metadata.labels) &&
        isPending(before) === isPending(after);
      if (!same) enqueue(bindingKey(after), initial ? "background" : "user");
    });
}

/** While something waits, works are frozen; when nothing does any more, they catch up. */
function isPending(binding: ApiObject): boolean {
  const { conditions = [] } = (binding as unknown as Binding).status ?? {}; // the informer's kind
  return conditions.some(({ type, status }) => type === policyPendingCondition.type && status === "True");
}

/**
 * A work that went, or that somebody else changed, is made anew; one that has gone may be what a deletion or an eviction waits for. One
 * that is leaving is looked at when it has left.
 */
function watchWorks({ works: informer, bindings }: WorksNeeds, own: OwnWrites): Watch {
  return (enqueue) => {
    const wake = (work: ApiObject, isWanted: (binding: Binding) => boolean) => {
      for (const id of bindingIdsOf(work))
        for (const each of bindings)
          for (const binding of each.byIndex("id", id))
            if (isWanted(binding as unknown as Binding)) enqueue(bindingKey(binding), "background"); // the informer's kind
    };
    return informer.subscribe(({ before, after, initial }) => {
      if (initial || before === undefined) return;
      if (after === undefined) return wake(before, (binding) => waitsFor(binding, before));
      if (before.metadata.generation === after.metadata.generation || after.metadata.deletionTimestamp !== undefined)
        return;
      own.unlessOwn(after, () => wake(after, () => true));
    });
  };
}

/** Whether something is to be done for a binding now that a work of it has gone. Where it is not wanted, that was the wish. */
function waitsFor({ metadata, spec }: Binding, { metadata: gone }: ApiObject): boolean {
  if (metadata.deletionTimestamp !== undefined || (spec.gracefulEvictionTasks ?? []).length > 0) return true;
  const cluster = clusterOfExecutionNamespace(gone.namespace ?? "");
  return targetClusters(spec).some(({ name }) => name === cluster);
}
