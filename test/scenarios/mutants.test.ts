import { describe, expect, test } from "vitest";
import type { ApiCall } from "#api/meta/api-call.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import type { WorksFacts } from "#controllers/binding/decide-works.ts";
import { TemplateCatalog } from "#controllers/detector/template-catalog.ts";
import type { SchedulerFacts } from "#controllers/scheduler/scheduler-controller.ts";
import type { Controller } from "#runtime/controller.ts";
import { LiveInformer } from "#runtime/informer.ts";
import type { RoughFleet, Sabotage } from "#test/world/rough-fleet.ts";
import { live } from "#test/world/swarm.ts";

/** How many worlds a mutant may live through unnoticed. */
const patience = 40;

interface Mutant extends Sabotage {
  /** What must be complained of. */
  readonly caughtBy: RegExp;
  /** Spoils more than controllers and calls; returns its undo. */
  readonly spoil?: () => () => void;
  /** What brings it out. */
  readonly often?: readonly string[];
}

/** Bugs that propagation systems have shipped, made on purpose. */
const mutants: Readonly<Record<string, Mutant>> = {
  "works are deleted because a cache is not filled yet": {
    caughtBy: /S1/,
    often: Array.from({ length: 30 }, () => "restart"),
    spoil() {
      const { whenSynced } = LiveInformer.prototype;
      const { whenSynced: templatesSynced } = TemplateCatalog.prototype;
      LiveInformer.prototype.whenSynced = () => Promise.resolve();
      TemplateCatalog.prototype.whenSynced = () => Promise.resolve();
      return () => {
        LiveInformer.prototype.whenSynced = whenSynced;
        TemplateCatalog.prototype.whenSynced = templatesSynced;
      };
    },
    wrap: worksGoWithTemplates,
    slow: ({ verb, path }) => verb === "watch" && path.resource === "deployments",
  },
  "a copy is deleted instead of updated": {
    caughtBy: /S1/,
    tamper: ({ cluster, call }) =>
      cluster !== "flotilla" && call.verb === "update" && call.path.resource === "deployments" && isCopy(call)
        ? { ...call, verb: "delete", body: undefined, options: {} }
        : call,
  },
  "a cluster that is not ready loses its workloads": flapEmptiesTargets(),
  "a suspension is lost on its way to the works": {
    caughtBy: /S4/,
    tamper: ({ call }) =>
      isWrite(call, "works") ? withSpec(call, ({ suspendDispatching: _, ...spec }) => spec) : call,
  },
  "a suspension of scheduling is overwritten by another writer": {
    caughtBy: /S4|S6/,
    often: Array.from({ length: 15 }, () => ["deploy", "pin", "scale"]).flat(),
    tamper: ({ call }) =>
      isBindingUpdate(call)
        ? withSpec(call, ({ suspension, ...spec }) => ({
            ...spec,
            suspension: { ...suspension, scheduling: undefined },
          }))
        : call,
  },
  "claim labels are left after their policy is deleted": {
    caughtBy: /S2|L8/,
    tamper: ({ call }) => (call.verb === "patch" && call.path.resource === "deployments" ? withoutNulls(call) : call),
  },
  "a retry overwrites what others wrote": {
    caughtBy: /S7|S4|S6|L1|L4/,
    tamper: ({ call }) => (isBindingUpdate(call) ? forced(call) : call),
  },
  "works are left behind when their binding leaves a cluster": {
    caughtBy: /L2|L8/,
    tamper: ({ call }) =>
      call.verb === "delete" && call.path.resource === "works" ? { ...call, verb: "get", options: {} } : call,
  },
  "a policy cannot be deleted": {
    caughtBy: /L8/,
    wrap: never("policy"),
  },
  "a cluster cannot leave": {
    caughtBy: /L8|L2/,
    wrap: never("cluster"),
  },
  "the scheduler stands still": {
    caughtBy: /S6|L1|L4|L8/,
    // what is new is placed by the detector: only what changes afterwards needs the scheduler
    often: Array.from({ length: 15 }, () => ["deploy", "unjoin"]).flat(),
    wrap: never("scheduler"),
  },
  "a status is written again and again": {
    caughtBy: /come to rest/,
    tamper: ({ call, fleet }) =>
      call.verb === "update" && call.path.resource === "resourcebindings" && call.path.subresource === "status"
        ? { ...call, body: restless(call.body, fleet) }
        : call,
    wrap: touchAlways("binding-status"),
  },
  "an error while reading a member counts as absence": {
    caughtBy: /S1|S4|L1|L2|L4|come to rest/,
    tamper: ({ cluster, call }) =>
      cluster !== "flotilla" && call.verb === "update" && call.path.resource === "deployments"
        ? { ...call, verb: "get", body: undefined, options: {} }
        : call,
  },
};

describe("the harness notices bugs that others have shipped", () => {
  for (const [name, { caughtBy, spoil, often = [], ...sabotage }] of Object.entries(mutants)) {
    test(name, { timeout: 300_000 }, async () => {
      const undo = spoil?.();
      try {
        for (let seed = 1; seed <= patience; seed++) {
          const wrong = await live(seed, { sabotage, often }).catch((error: unknown) => [String(error)]);
          if (wrong.some((what) => caughtBy.test(what))) return;
        }
      } finally {
        undo?.();
      }
      expect.fail(`lived through ${patience} worlds`);
    });
  }
});

/** A controller that finds nothing to do. */
function never(name: string): NonNullable<Sabotage["wrap"]> {
  return (controller) => (controller.name === name ? { ...controller, decide: () => ({ steps: [] }) } : controller);
}

/** What is not in the cache is taken for deleted, and its works go at once. */
function worksGoWithTemplates<Facts, Step>(controller: Controller<Facts, Step>): Controller<Facts, Step> {
  if (controller.name !== "binding") return controller;
  const decide = (facts: Facts) => {
    const { template, works } = facts as unknown as WorksFacts; // the controller's
    if (template !== undefined) return controller.decide(facts);
    return { steps: [...works.values()].map((work) => ({ do: "deleteWork", work })) as unknown as Step[] }; // as above
  };
  return { ...controller, decide };
}

/** A controller that looks again every other second. */
function touchAlways(name: string): NonNullable<Sabotage["wrap"]> {
  return <Facts, Step>(controller: Controller<Facts, Step>) => {
    if (controller.name !== name) return controller;
    const decide = (facts: Facts) => ({
      waitFor: { reason: "restless", retryAfterMs: 2_000 },
      ...controller.decide(facts),
    });
    return { ...controller, decide };
  };
}

/** The scheduler drops targets that are not ready. */
function flapEmptiesTargets(): Mutant {
  let seen: RoughFleet | undefined;
  const restless = touchAlways("scheduler");
  return {
    caughtBy: /S5/,
    often: Array.from({ length: 30 }, () => "memberDown"),
    tamper({ call, fleet }) {
      seen = fleet;
      return call;
    },
    wrap<Facts, Step>(controller: Controller<Facts, Step>) {
      if (controller.name !== "scheduler") return controller;
      const gather = async (key: string, signal: AbortSignal) => {
        const facts = (await controller.gather(key, signal)) as SchedulerFacts | undefined; // the controller's
        const { clusters = [] } = facts?.binding.spec ?? {};
        const ready = seen === undefined ? clusters : onlyReady(seen, clusters);
        if (facts === undefined || ready.length === clusters.length) return facts as Facts | undefined;
        const spec = { ...facts.binding, spec: { ...facts.binding.spec, clusters: ready } };
        return { ...facts, placing: { ...facts.placing, spec } } as Facts;
      };
      return restless({ ...controller, gather });
    },
  };
}

function isCopy({ body }: ApiCall): boolean {
  return (body as Fields | undefined)?.["metadata"]?.namespace === "shop";
}

function isWrite({ verb, path }: ApiCall, resource: string): boolean {
  return (verb === "create" || verb === "update") && path.resource === resource && path.subresource === undefined;
}

function isBindingUpdate(call: ApiCall): boolean {
  return call.verb === "update" && isWrite(call, "resourcebindings");
}

function withSpec(call: ApiCall, change: (spec: Fields) => Fields): ApiCall {
  const body = call.body as Fields; // an object
  return { ...call, body: plain({ ...body, spec: change(body["spec"]) }) };
}

/** As JSON has it: what is undefined is absent. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function forced(call: ApiCall): ApiCall {
  const body = call.body as Fields; // an object
  const { resourceVersion: _, ...metadata } = body["metadata"];
  return { ...call, body: { ...body, metadata } };
}

function withoutNulls(call: ApiCall): ApiCall {
  const kept = (fields: Fields = {}) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const body = call.body as Fields; // a merge patch
  const { labels, annotations, ...metadata } = body["metadata"];
  return {
    ...call,
    body: { ...body, metadata: { ...metadata, labels: kept(labels), annotations: kept(annotations) } },
  };
}

function onlyReady({ controlPlane }: RoughFleet, targets: readonly Fields[] = []): readonly Fields[] {
  return targets.filter(({ name }) => {
    const cluster = controlPlane.server.core.store.get(`cluster.karmada.io/clusters/${name}`)?.value as
      | Fields
      | undefined;
    return cluster?.["status"]?.conditions?.some(({ type, status }: Fields) => type === "Ready" && status === "True");
  });
}

function restless(body: unknown, { written }: RoughFleet): unknown {
  const { status, ...rest } = body as Fields; // a merge patch
  return {
    ...rest,
    status: {
      ...status,
      aggregatedStatus: null,
      lastScheduledTime: new Date(Date.UTC(2026, 0, 1) + written.length * 1_000).toISOString().replace(".000", ""),
    },
  };
}
