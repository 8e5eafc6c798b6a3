import { describe, expect, test } from "vitest";
import type { Binding } from "#api/work/resource-binding.ts";
import type { Interpretation } from "#interpreter/interpretation.ts";
import { decideReferrer } from "./decide-referrer.ts";
import { type DependencyList, listDependencies } from "./dependency-list.ts";

const finalizer = "karmada.io/binding-dependencies-distributor";
const annotation = "resourcebinding.karmada.io/dependencies";

interface Sketch {
  readonly propagates?: boolean;
  readonly deleted?: boolean;
  readonly held?: boolean;
  /** What is recorded. */
  readonly says?: string;
  /** Names of ConfigMaps; undefined: not asked. */
  readonly finds?: readonly string[];
  readonly fails?: "faulty" | "unavailable";
  readonly followers?: number;
  readonly enabled?: boolean;
}

function found({ finds, fails }: Sketch): Interpretation<DependencyList> | undefined {
  if (fails !== undefined) return { ok: false, why: fails, message: "it is broken" };
  if (finds === undefined) return undefined;
  const template = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" };
  const named = finds.map((name) => ({ apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name }));
  return listDependencies(named, { namespace: "shop", template });
}

function bindingOf(kind: Binding["kind"], { propagates = true, deleted, held, says }: Sketch): Binding {
  return {
    kind,
    metadata: {
      name: "web-deployment",
      ...(deleted && { deletionTimestamp: "2026-11-15T00:00:00Z" }),
      finalizers: held ? ["other", finalizer] : ["other"],
      ...(says !== undefined && { annotations: { [annotation]: says } }),
    },
    spec: { propagateDeps: propagates },
  } as unknown as Binding;
}

const settings = '[{"apiVersion":"v1","kind":"ConfigMap","namespace":"shop","name":"settings"}]';

const cases: Readonly<Record<string, { given: Sketch; expect: readonly string[]; waits?: string }>> = {
  "what a workload needs is recorded": { given: { finds: ["settings"] }, expect: ["record, news"] },
  "it is recorded once": { given: { held: true, says: settings, finds: ["settings"] }, expect: [] },
  "a finalizer that somebody took is put back": { given: { says: settings, finds: ["settings"] }, expect: ["record"] },
  "what needs nothing gets no finalizer": { given: { finds: [] }, expect: [] },
  "what needs nothing any more says so": { given: { held: true, says: settings, finds: [] }, expect: ["record, news"] },
  "what is no question now changes nothing": { given: { held: true, says: settings }, expect: [] },
  "a script that fails leaves the record alone": {
    given: { held: true, says: settings, fails: "faulty" },
    expect: ["reportFailure"],
    waits: "it is broken",
  },
  "nobody lets go while others follow": {
    given: { held: true, propagates: false, followers: 2 },
    expect: [],
    waits: "2 bindings still follow it",
  },
  "what is deleted waits for them too": {
    given: { held: true, deleted: true, followers: 1 },
    expect: [],
    waits: "1 bindings still follow it",
  },
  "it is let go when nobody follows": { given: { held: true, deleted: true }, expect: ["release"] },
  "so is what lost propagateDeps": { given: { held: true, propagates: false }, expect: ["release"] },
  "what was never held is not let go": { given: { propagates: false }, expect: [] },
  "with the gate off, what is held stays so": { given: { held: true, enabled: false, propagates: false }, expect: [] },
  "with the gate off, what is deleted is let go": {
    given: { held: true, enabled: false, deleted: true },
    expect: ["release"],
  },
};

describe.each(["ResourceBinding", "ClusterResourceBinding"] as const)("%s", (kind) => {
  test.each(Object.entries(cases))("%s", (_, { given, expect: expected, waits }) => {
    const plan = decideReferrer({
      binding: bindingOf(kind, given),
      found: found(given),
      followers: given.followers ?? 0,
      enabled: given.enabled ?? true,
    });
    const steps = plan.steps.map((step) => (step.do === "record" && step.isNews ? "record, news" : step.do));
    expect(steps).toEqual(expected);
    expect(plan.waitFor?.reason).toBe(waits);
  });
});
