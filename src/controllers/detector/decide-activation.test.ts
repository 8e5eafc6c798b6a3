import { describe, expect, test } from "vitest";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { compilePolicy } from "#selection/policy-match.ts";
import { claimMetadata, claimOf, claimPatch } from "./claim.ts";
import { type Activation, decideActivation } from "./decide-activation.ts";

interface Sketch {
  readonly name: string;
  readonly namespace?: string;
  readonly priority?: number;
  readonly preemption?: "Always";
  readonly selects?: string;
  readonly deleted?: boolean;
  readonly lazy?: boolean;
  readonly changed?: boolean;
}

function policy({ name, namespace, priority = 0, preemption, selects, deleted, lazy, changed }: Sketch): Policy {
  const idLabel =
    namespace === undefined
      ? "clusterpropagationpolicy.karmada.io/permanent-id"
      : "propagationpolicy.karmada.io/permanent-id";
  return {
    apiVersion: "policy.karmada.io/v1alpha1",
    kind: namespace === undefined ? "ClusterPropagationPolicy" : "PropagationPolicy",
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { [idLabel]: `id-${name}`, ...(changed ? { changed: "true" } : {}) },
      ...(deleted ? { deletionTimestamp: "2026-11-15T00:00:00Z" } : {}),
    },
    spec: {
      resourceSelectors: [
        { apiVersion: "apps/v1", kind: "Deployment", ...(selects === undefined ? {} : { name: selects }) },
      ],
      priority,
      preemption: preemption ?? "Never",
      ...(lazy ? { activationPreference: "Lazy" } : {}),
    },
  } as unknown as Policy;
}

const template = { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web" };

const cases: Readonly<
  Record<
    string,
    {
      reason: string;
      policies: readonly Sketch[];
      holder?: string;
      preemption?: boolean;
      runs?: boolean;
      edited?: boolean;
      expect: string;
    }
  >
> = {
  "nothing matches": {
    reason: "a template without a policy waits",
    policies: [{ name: "a", selects: "other" }],
    runs: false,
    expect: "held",
  },
  "first match": {
    reason: "the best policy claims",
    policies: [{ name: "a" }, { name: "b", priority: 1 }],
    expect: "b: matches",
  },
  "own namespace": {
    reason: "a policy of the namespace beats every cluster-scoped one",
    policies: [
      { name: "a", priority: 9 },
      { name: "b", namespace: "shop" },
    ],
    expect: "b: matches",
  },
  held: {
    reason: "a claim holds whatever better policies there are",
    policies: [{ name: "a" }, { name: "b", priority: 5 }],
    holder: "a",
    expect: "a: still matches",
  },
  preempted: {
    reason: "a higher priority takes over if it preempts",
    policies: [{ name: "a" }, { name: "b", priority: 5, preemption: "Always" }],
    holder: "a",
    preemption: true,
    expect: "b: preempted",
  },
  "preempted while another waits": {
    reason:
      "who takes over is the holder from now on, and a lazy one that ranks before it waits as it would for any holder",
    policies: [{ name: "a" }, { name: "b", priority: 5, preemption: "Always" }, { name: "c", priority: 7, lazy: true }],
    holder: "a",
    preemption: true,
    runs: true,
    expect: "b: preempted, recorded, another policy waits: c",
  },
  "gate off": {
    reason: "nothing preempts while the gate is off",
    policies: [{ name: "a" }, { name: "b", priority: 5, preemption: "Always" }],
    holder: "a",
    expect: "a: still matches",
  },
  "equal priority": {
    reason: "only a strictly higher priority preempts",
    policies: [
      { name: "a", priority: 5 },
      { name: "b", priority: 5, preemption: "Always" },
    ],
    holder: "a",
    preemption: true,
    expect: "a: still matches",
  },
  "strongest challenger": {
    reason: "one preemption, by the strongest",
    policies: [
      { name: "a" },
      { name: "b", priority: 5, preemption: "Always" },
      { name: "c", priority: 7, preemption: "Always" },
    ],
    holder: "a",
    preemption: true,
    expect: "c: preempted",
  },
  "no longer matched": {
    reason: "ruling 6: matched anew in every mode",
    policies: [{ name: "a", selects: "other" }, { name: "b" }],
    holder: "a",
    expect: "b: no longer matched by its policy",
  },
  released: {
    reason: "keeps running, unclaimed",
    policies: [{ name: "a", selects: "other" }],
    holder: "a",
    expect: "released",
  },
  "holder deleted": {
    reason: "a policy on its way out holds nothing",
    policies: [{ name: "a", deleted: true }, { name: "b" }],
    holder: "a",
    expect: "b: no longer matched by its policy",
  },
  "static: first match": {
    reason: "ruling 2: nothing runs yet, so nothing can be disturbed",
    policies: [{ name: "a", lazy: true }],
    runs: false,
    expect: "a: matches, recorded",
  },
  "static: the policy changed": {
    reason: "a change waits for an edit of the template",
    policies: [{ name: "a", lazy: true, changed: true }],
    holder: "a",
    expect: "held, policy changed: a",
  },
  "static: the policy changed and the template was edited": {
    reason: "the edit activates it",
    policies: [{ name: "a", lazy: true, changed: true }],
    holder: "a",
    edited: true,
    expect: "a: still matches, recorded",
  },
  "static: a better one appears": {
    reason: "it waits, whether it preempts or not",
    policies: [
      { name: "a", lazy: true },
      { name: "b", lazy: true, priority: 5, preemption: "Always" },
    ],
    holder: "a",
    preemption: true,
    expect: "held, another policy waits: b",
  },
  "static: a better one takes over on an edit": {
    reason: "an edit matches anew, without any preemption",
    policies: [
      { name: "a", lazy: true },
      { name: "b", lazy: true, priority: 5 },
    ],
    holder: "a",
    edited: true,
    expect: "b: edited, recorded",
  },
  "static: no longer matched": {
    reason: "the claim ends, nobody takes over until an edit",
    policies: [
      { name: "a", lazy: true, selects: "other" },
      { name: "b", lazy: true },
    ],
    holder: "a",
    expect: "released, another policy waits: b",
  },
  "static: edited, nothing matches": {
    reason: "the edit waits for a policy",
    policies: [{ name: "a", lazy: true, selects: "other" }],
    edited: true,
    expect: "held, no policy matches the edited template",
  },
  "static: edited before, now something matches": {
    reason: "what waits for a policy needs no further edit",
    policies: [{ name: "b", lazy: true }],
    edited: true,
    expect: "b: edited, recorded",
  },
  "a static one waits behind one that acts at once": {
    reason: "the holder goes on; what runs is recorded, so that an edit is seen",
    policies: [{ name: "a" }, { name: "b", lazy: true, priority: 5 }],
    holder: "a",
    expect: "a: still matches, recorded, another policy waits: b",
  },
  "one that acts at once preempts a static one": {
    reason: "only static policies wait",
    policies: [
      { name: "a", lazy: true },
      { name: "b", priority: 5, preemption: "Always" },
    ],
    holder: "a",
    preemption: true,
    expect: "b: preempted",
  },
};

describe("decideActivation", () => {
  for (const [name, facts] of Object.entries(cases)) {
    const { reason, policies, holder, preemption = false, runs = true, edited = false, expect: expected } = facts;
    test(name, () => {
      const compiled = policies.map((sketch) => compilePolicy(policy(sketch)));
      const held = compiled.find(({ policy: each }) => each.metadata.name === holder);
      const decision = decideActivation({
        template,
        holder: held,
        isClaimed: holder !== undefined,
        candidates: compiled,
        preemption,
        isStatic: ({ spec }) => spec.activationPreference === "Lazy",
        runs,
        edited,
        changedBy: ({ metadata }) => (metadata.labels?.["changed"] === "true" ? ["placement"] : []),
      });
      expect(told(decision), reason).toBe(expected);
    });
  }
});

function told(decision: Activation): string {
  const waits = decision.pending === undefined ? "" : `, ${decision.pending.why}`;
  const who =
    decision.pending !== undefined && "policy" in decision.pending ? `: ${decision.pending.policy.metadata.name}` : "";
  if (decision.do === "hold") return `${decision.releases ? "released" : "held"}${waits}${who}`;
  return `${decision.policy.metadata.name}: ${decision.because}${decision.records ? ", recorded" : ""}${waits}${who}`;
}

describe("claims on metadata", () => {
  const shop = policy({ name: "p", namespace: "shop" });
  const everywhere = policy({ name: "c" });

  test("a claim is read back as it was written", () => {
    expect(claimOf(claimMetadata(shop))).toEqual({ policyId: "id-p", namespace: "shop", name: "p" });
    expect(claimOf(claimMetadata(everywhere))).toEqual({ policyId: "id-c", namespace: undefined, name: "c" });
  });

  test("an incomplete claim is none", () => {
    expect(claimOf({ labels: { "propagationpolicy.karmada.io/permanent-id": "x" } })).toBeUndefined();
    expect(claimOf({})).toBeUndefined();
  });

  test("a change of hands removes every key of the former, of either scope", () => {
    const patch = claimPatch(claimMetadata(everywhere), claimMetadata(shop));
    expect(patch?.labels).toMatchObject({
      "clusterpropagationpolicy.karmada.io/permanent-id": null,
      "propagationpolicy.karmada.io/permanent-id": "id-p",
    });
    expect(patch?.annotations).toMatchObject({
      "clusterpropagationpolicy.karmada.io/name": null,
      "propagationpolicy.karmada.io/name": "p",
    });
  });

  test("nothing to change is no patch", () => {
    expect(claimPatch(claimMetadata(shop), claimMetadata(shop))).toBeUndefined();
    expect(claimPatch({ labels: { app: "web" } }, undefined)).toBeUndefined();
  });

  test("a name too long for a label is only an annotation", () => {
    const long = policy({ name: "p".repeat(100) });
    const { labels, annotations } = claimMetadata(long);
    expect([
      labels["clusterpropagationpolicy.karmada.io/name"],
      annotations["clusterpropagationpolicy.karmada.io/name"]?.length,
    ]).toEqual([undefined, 100]);
  });
});
