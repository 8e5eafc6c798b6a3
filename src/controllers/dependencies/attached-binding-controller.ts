import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { dependenciesAnnotation } from "#api/work/binding-keys.ts";
import { bindingNameOf } from "#api/work/derived-names.ts";
import { bindingEvents } from "#api/work/event-reasons.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { releasedClustersAnnotation } from "#api/work/template-keys.ts";
import type { Clock } from "#base/clock.ts";
import { jsonEquals } from "#base/json.ts";
import type { Plan } from "#base/plan.ts";
import type { Client, NewObject } from "#client/client.ts";
import { bindingAt, bindingKey } from "#controllers/binding-informers.ts";
import { Patience } from "#controllers/patience.ts";
import { Pauses } from "#controllers/pauses.ts";
import type { Dependency } from "#interpreter/dependencies.ts";
import { allSynced } from "#runtime/all-synced.ts";
import type { Controller, Watch } from "#runtime/controller.ts";
import type { EventRecorder } from "#runtime/event-recorder.ts";
import type { Change, Informer } from "#runtime/informer.ts";
import { watchInformer } from "#runtime/watch-informer.ts";
import { templateKey } from "#selection/template.ts";
import { Bookkeeping } from "./bookkeeping.ts";
import {
  type AttachedFacts,
  type AttachedStep,
  decideAttachedBinding,
  isAttached,
  isServed,
  type PutBinding,
} from "./decide-attached-binding.ts";
import { decideStrategy } from "./decide-strategy.ts";
import { dependenciesIn, followedBy, isReferrer, mayFollow, needsObject, slotsOfObject } from "./referrers.ts";

export interface AttachedBindingNeeds {
  readonly client: Client;
  /** Of both scopes, indexed by `needs`, the slots of what they need, and `follows`, the keys of the bindings that they follow. */
  readonly bindings: readonly Informer<ApiObject>[];
  /** The object behind a template's key. */
  readonly objectAt: (key: string) => ApiObject | undefined;
  /** The keys of the objects that a selector may mean. */
  readonly selectedBy: (dependency: Dependency) => readonly string[];
  /** Objects that appeared or changed their labels, by their keys. */
  readonly watchObjects: Watch;
  readonly events: EventRecorder;
  /** Resolves when the templates have been seen whole. */
  readonly ready: () => Promise<unknown>;
  /** Whether it is about to be found out what a binding needs: what it says of that may be outdated. */
  readonly isDue: (referrer: Binding) => boolean;
  /** Gate PropagateDeps. */
  readonly enabled: boolean;
  readonly clock: Clock;
  /** Whether there is more to do than can be done at once. */
  readonly isBusy: () => boolean;
}

interface Facts extends Pick<AttachedFacts, "binding"> {
  readonly key: string;
  readonly plan: Plan<AttachedStep>;
  /** How long it may wait yet. */
  readonly waitsMs: number;
}

/** How long a change waits for those whose needs are being found out, and how soon that is asked again: nothing tells when they stay. */
const finding = { longestMs: 500, againMs: 20 };

/**
 * How long something that many refer to is left alone after a look at all of them, which takes some 5 µs for each: they come one by one, and a look
 * at all for each of them would be a cost by the square of their number. What few refer to is looked at each time.
 */
function pauseMs(referrers: number): number {
  return referrers < 100 ? 0 : referrers / 10;
}

/** Keeps the binding of every dependency, keyed by the dependency, as its referrers need it. */
export function attachedBindingController(needs: AttachedBindingNeeds): Controller<Facts, AttachedStep> {
  const { bindings, enabled } = needs;
  /** In what the referrers of a dependency disagreed when it was last looked at; empty: in nothing. */
  const conflicts = new Map<string, string>();
  const bookkeeping = new Bookkeeping(needs);
  const findings = new Patience(needs.clock);
  const pauses = new Pauses(needs.clock);
  /** Bookkeeping waits for more of it; what reaches members waits for those of whom it is being found out what they need. */
  const waitsMs = ({ key, plan, referrers }: Pick<Facts, "key" | "plan"> & Pick<AttachedFacts, "referrers">) => {
    for (const step of plan.steps)
      if (step.do === "putBinding" && step.urgency !== "now")
        return bookkeeping.leftMs(key, { urgency: step.urgency, referrers: referrers.length });
    bookkeeping.end(key);
    const isOutdated = plan.steps.length > 0 && referrers.some(needs.isDue);
    return isOutdated ? Math.min(findings.leftMs(key, finding.longestMs), finding.againMs) : 0;
  };
  return {
    name: "attached-binding",
    watches: [
      ...bindings.map((informer) => watchReferrers(informer, { ...needs, bookkeeping })),
      ...bindings.map((informer) => watchInformer(informer, wokenByFollower)),
      needs.watchObjects,
      bookkeeping.watch,
    ],

    async gather(key) {
      await Promise.all([needs.ready(), allSynced(bindings)]);
      const object = needs.objectAt(key);
      const binding = bindingAt(bindings, boundBy(key));
      if (object === undefined && binding === undefined) {
        conflicts.delete(key);
        findings.end(key);
        pauses.begin(key, 0);
        return void bookkeeping.end(key);
      }
      const pausesMs = pauses.leftMs(key);
      if (pausesMs > 0) return { key, binding, plan: { steps: [] }, waitsMs: pausesMs };
      const follows = enabled && object !== undefined && object.metadata.deletionTimestamp === undefined;
      const referrers = follows ? referrersOf(bindings, object) : formerReferrers(bindings, binding);
      pauses.begin(key, pauseMs(referrers.length));
      const conflict = binding?.spec.placement === undefined ? decideStrategy(referrers).conflict : undefined;
      const formerConflict = conflicts.get(key);
      conflicts.set(key, conflict ?? "");
      const mode = follows ? ("follow" as const) : ("keep" as const);
      const plan = decideAttachedBinding({ object, binding, referrers, mode, conflict, formerConflict });
      return { key, binding, plan, waitsMs: waitsMs({ key, plan, referrers }) };
    },

    decide: ({ plan, waitsMs }) =>
      waitsMs > 0 ? { steps: [], waitFor: { reason: "others may come to need it, too", retryAfterMs: waitsMs } } : plan,

    async apply(step, facts) {
      bookkeeping.end(facts.key);
      findings.end(facts.key);
      const bound = step.do === "putBinding" ? await put(needs, step, facts) : facts.binding;
      if (bound === undefined || step.conflict === undefined) return;
      const reason = bindingEvents.dependencyPolicyConflict;
      needs.events.record(bound, { type: "Warning", reason, message: step.conflict });
    },
  };
}

/** The bindings that need an object, found by its name and labels. */
export function referrersOf(bindings: readonly Informer<ApiObject>[], object: ApiObject): readonly Binding[] {
  const found = new Set<Binding>();
  for (const [index, slot] of slotsOfObject(object).entries())
    for (const informer of bindings)
      for (const each of informer.byIndex("needs", slot)) {
        const binding = each as unknown as Binding; // the informers' kind
        const isNeeded = index === 0 ? mayFollow(object, binding) : needsObject(binding, object); // the first is by name
        if (isReferrer(binding) && isNeeded) found.add(binding);
      }
  return [...found];
}

/** Those that a binding follows and that are still there. */
function formerReferrers(bindings: readonly Informer<ApiObject>[], binding: Binding | undefined): readonly Binding[] {
  if (binding === undefined) return [];
  return followedBy(binding as unknown as ApiObject)
    .map((key) => bindingAt(bindings, key))
    .filter((each): each is Binding => each !== undefined && each.metadata.deletionTimestamp === undefined);
}

async function put(
  { client, events }: AttachedBindingNeeds,
  { wanted, synced }: PutBinding,
  { binding }: Facts,
): Promise<ApiObject> {
  const resource = resourceOf(ResourceBindings.kindFor(wanted.metadata.namespace));
  const { succeed, failed } = bindingEvents.syncToDependencies;
  const where = `${wanted.spec.resource.kind} ${wanted.spec.resource.name}`;
  try {
    const written =
      binding === undefined
        ? await client.create(resource, wanted as unknown as NewObject) // as decided
        : await client.update(resource, wanted as unknown as ApiObject);
    for (const each of synced) {
      const clusters = (each.spec.clusters ?? []).map(({ name }) => name).join(", ");
      const message = `Synced the schedule result to ${where}, which follows to ${clusters}.`;
      events.record(each, { type: "Normal", reason: succeed, message });
    }
    return written;
  } catch (error: unknown) {
    const isRace = error instanceof StatusError && (error.reason === "Conflict" || error.reason === "AlreadyExists");
    const message = `Failed to sync the schedule result to ${where}: ${error instanceof Error ? error.message : "?"}`;
    if (!isRace) for (const each of synced) events.record(each, { type: "Warning", reason: failed, message });
    throw error;
  }
}

/** One more that needs what is there already can wait until others have come to need it, too. */
function watchReferrers(
  informer: Informer<ApiObject>,
  needs: AttachedBindingNeeds & { readonly bookkeeping: Bookkeeping },
): Watch {
  return (enqueue) =>
    informer.subscribe((change) => {
      for (const key of wokenByReferrer(needs, change)) {
        const serving = change.initial ? undefined : servingAlready(key, { bindings: needs.bindings, ...change });
        if (serving === undefined) {
          enqueue(key, change.initial ? "background" : "user");
          continue;
        }
        const referrers = serving.spec.requiredBy?.length ?? 0;
        enqueue(key, "background", needs.bookkeeping.leftMs(key, { urgency: "whenCalm", referrers }));
      }
    });
}

/** The binding that has what somebody comes to need where it is needed: nothing but its list of who that is changes. */
function servingAlready(
  key: string,
  { bindings, before, after }: Pick<AttachedBindingNeeds, "bindings"> & Change<ApiObject>,
): Binding | undefined {
  const [old, now] = [before, after] as unknown as (Binding | undefined)[]; // the informer's kind
  if (now === undefined || !isReferrer(now)) return undefined;
  const isNew =
    old === undefined ||
    !isReferrer(old) ||
    !dependenciesIn(old).some((each) => each.name === undefined || keyOfDependency(each) === key);
  const follower = isNew ? bindingAt(bindings, boundBy(key)) : undefined;
  return follower !== undefined && isServed(now, follower) ? follower : undefined;
}

/** A referrer that needs something else, or is elsewhere, concerns what it needs, what it needed and what still follows it. */
function wokenByReferrer(needs: AttachedBindingNeeds, { before, after }: Change<ApiObject>): readonly string[] {
  const old = before as unknown as Binding | undefined; // the informer's kind
  const now = after as unknown as Binding | undefined;
  if (old !== undefined && now !== undefined && isSameReferrer(old, now)) return [];
  const needed = [old, now].flatMap((each) => (each !== undefined && isReferrer(each) ? dependenciesIn(each) : []));
  const followers = needs.bindings.flatMap((informer) => informer.byIndex("follows", bindingKey((after ?? before)!)));
  return [
    ...new Set([
      ...needed.flatMap((each) => (each.name === undefined ? needs.selectedBy(each) : [keyOfDependency(each)])),
      ...followers.map((each) => keyOfTemplate(each as unknown as Binding)), // the informers' kinds
    ]),
  ];
}

function isSameReferrer(old: Binding, now: Binding): boolean {
  return (
    old.metadata.generation === now.metadata.generation &&
    old.metadata.deletionTimestamp === now.metadata.deletionTimestamp &&
    [dependenciesAnnotation, releasedClustersAnnotation].every(
      (key) => old.metadata.annotations?.[key] === now.metadata.annotations?.[key],
    )
  );
}

/** A follower that somebody else changed is put right; one that went is made anew, or makes room for that of a new object. */
function wokenByFollower({ before, after }: Change<ApiObject>): readonly string[] {
  const [old, now] = [before, after] as unknown as (Binding | undefined)[]; // the informer's kind
  if (now === undefined) return old?.spec.resource.name ? [keyOfTemplate(old)] : [];
  if (!isAttached(now) && (old === undefined || !isAttached(old))) return [];
  const isSame =
    old !== undefined &&
    old.metadata.generation === now.metadata.generation &&
    jsonEquals(old.metadata.labels, now.metadata.labels);
  return isSame ? [] : [keyOfTemplate(now)];
}

/** The key of the binding of what a template's key names. */
function boundBy(key: string): string {
  const [, kind, path] = key.split(" ") as [string, string, string];
  const [namespace, name] = path.split("/") as [string, string];
  return `${namespace}/${bindingNameOf({ kind, name })}`;
}

/** The key of the template of a binding. */
export function keyOfTemplate({ spec }: Binding): string {
  const { apiVersion, kind, namespace, name } = spec.resource;
  return templateKey({ apiVersion, kind, name, ...(namespace ? { namespace } : {}) });
}

function keyOfDependency({ apiVersion, kind, namespace = "", name = "" }: Dependency): string {
  return templateKey({ apiVersion, kind, namespace, name });
}
