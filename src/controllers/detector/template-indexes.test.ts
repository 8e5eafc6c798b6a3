import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { compilePolicy } from "#selection/policy-match.ts";
import { templateKey, templateOf } from "#selection/template.ts";
import { TemplateIndexes } from "./template-indexes.ts";

const policyIds = ["p1", "p2"];
const allOfKind = compilePolicy({
  apiVersion: "policy.karmada.io/v1alpha1",
  kind: "ClusterPropagationPolicy",
  metadata: { name: "all" },
  spec: {
    resourceSelectors: [{ apiVersion: "v1", kind: "ConfigMap", labelSelector: { matchLabels: { tier: "web" } } }],
  },
} as unknown as Policy); // what an index asks of it

interface State {
  readonly tier: string;
  readonly policyId: string | undefined;
}

/** A template is there, in a state, or is not. */
const step = fc.record({
  name: fc.constantFrom("a", "b", "c", "d"),
  state: fc.option(
    fc.record({
      tier: fc.constantFrom("web", "data"),
      policyId: fc.option(fc.constantFrom(...policyIds), { nil: undefined }),
    }),
    { nil: undefined },
  ),
  isAsked: fc.boolean(),
});

test("whoever asks, and whenever, finds what is there by then", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const indexes = new TemplateIndexes();
      const there = new Map<string, State>();
      for (const { name, state, isAsked } of steps) {
        const before = there.get(name);
        if (before === undefined && state === undefined) continue;
        const [old, now] = [before, state].map((each) => each && configMap(name, each));
        const key = templateKey(templateOf((now ?? old)!)); // one of them is there
        indexes.accept({ key, change: { before: old, after: now, initial: false } as never });
        if (state === undefined) there.delete(name);
        else there.set(name, state);
        if (isAsked) expectAsIs(indexes, there);
      }
      expectAsIs(indexes, there);
    }),
  );
});

test("a thousand that nobody asked about are told apart from the next thousand", () => {
  const indexes = new TemplateIndexes();
  const there = new Map<string, State>();
  for (let index = 0; index < 2_100; index++) {
    const state = { tier: "web", policyId: index % 2 === 0 ? "p1" : undefined };
    there.set(`web-${index}`, state);
    const after = configMap(`web-${index}`, state);
    indexes.accept({ key: templateKey(templateOf(after)), change: { before: undefined, after, initial: false } });
  }
  const others = new TemplateIndexes();
  others.startFrom(indexes);
  expectAsIs(indexes, there);
  expectAsIs(others, there);
});

function expectAsIs(indexes: TemplateIndexes, there: ReadonlyMap<string, State>): void {
  const named = (isWanted: (state: State) => boolean) =>
    [...there]
      .filter(([, state]) => isWanted(state))
      .map(([name, state]) => templateKey(templateOf(configMap(name, state))));
  expect(indexes.templates.size).toBe(there.size);
  expect(indexes.templates.candidatesFor(allOfKind).map(templateKey).toSorted()).toEqual(
    named(({ tier }) => tier === "web").toSorted(),
  );
  for (const id of policyIds)
    expect(indexes.claimed.in(id).toSorted()).toEqual(named(({ policyId }) => policyId === id).toSorted());
}

function configMap(name: string, { tier, policyId }: State): ApiObject {
  const claim = policyId === undefined ? {} : { "clusterpropagationpolicy.karmada.io/permanent-id": policyId };
  const annotations = policyId === undefined ? {} : { "clusterpropagationpolicy.karmada.io/name": "some" };
  const metadata = { name, namespace: "shop", labels: { tier, ...claim }, annotations };
  return { apiVersion: "v1", kind: "ConfigMap", metadata } as unknown as ApiObject; // as far as it is looked at
}
