import fc from "fast-check";
import { expect, test } from "vitest";
import type { Policy } from "#api/policy/propagation-policy.ts";
import { anyPolicy, anyTemplate, policyOf } from "#test/samples/policies.ts";
import { deepFreeze } from "#test/world/deep-freeze.ts";
import { chooseClaimant, decidedBy, isInReach, rankClaimants } from "./choose-claimant.ts";
import { compilePolicy, matchSelectors } from "./policy-match.ts";
import type { Template } from "./template.ts";

const nginx: Template = { apiVersion: "apps/v1", kind: "Deployment", namespace: "default", name: "nginx" };
const deployments = { apiVersion: "apps/v1", kind: "Deployment" };

function winner(policies: readonly Policy[]): string | undefined {
  return chooseClaimant(policies.map(compilePolicy), nginx)?.policy.metadata.name;
}

test.each([
  [
    "a policy of the namespace beats a cluster-scoped one of any priority",
    [
      policyOf({ name: "wide", priority: 1000, selectors: [deployments] }),
      policyOf({ name: "near", namespace: "default", selectors: [deployments] }),
    ],
    "near",
  ],
  [
    "priority beats precision",
    [
      policyOf({ name: "exact", selectors: [{ ...deployments, name: "nginx" }] }),
      policyOf({ name: "high", priority: 1, selectors: [deployments] }),
    ],
    "high",
  ],
  [
    "precision beats the name",
    [
      policyOf({ name: "a", selectors: [deployments] }),
      policyOf({ name: "b", selectors: [{ ...deployments, labelSelector: {} }] }),
    ],
    "b",
  ],
  [
    "the first name wins at last",
    [policyOf({ name: "b", selectors: [deployments] }), policyOf({ name: "a", selectors: [deployments] })],
    "a",
  ],
  [
    "a policy on its way out claims nothing",
    [policyOf({ name: "a", deleted: true, selectors: [deployments] })],
    undefined,
  ],
])("%s", (_name, policies, expected) => {
  expect(winner(policies)).toBe(expected);
});

test("exclude of a selector vetoes that selector, another one may still select", () => {
  const selectors = [{ ...deployments, name: "nginx", exclude: { namespace: "def*" } }, deployments];
  const match = matchSelectors(compilePolicy(policyOf({ name: "a", selectors })), nginx);
  expect(match).toEqual({ precision: "All", selector: 1 });
});

test("an excluded resource is none of the policy's, though its name is selected", () => {
  const policy = policyOf({
    name: "a",
    selectors: [{ ...deployments, name: "nginx" }],
    excludes: [{ ...deployments, namespace: "x, def*" }],
  });
  expect(matchSelectors(compilePolicy(policy), nginx)).toEqual({ precision: "None", failedOn: [], excludedBy: 0 });
});

test("an exclusion that names nothing excludes nothing", () => {
  const policy = policyOf({ name: "a", selectors: [{ ...deployments, exclude: {} }], excludes: [deployments] });
  expect(matchSelectors(compilePolicy(policy), nginx)).toEqual({ precision: "All", selector: 0 });
});

test("a policy that does not match says on what each selector failed", () => {
  const selectors = [
    { apiVersion: "v1", kind: "Deployment" },
    { ...deployments, namespace: "other" },
    { ...deployments, name: "x" },
    { ...deployments, labelSelector: { matchLabels: { app: "x" } } },
    { ...deployments, exclude: { name: "nginx" } },
  ];
  const match = matchSelectors(compilePolicy(policyOf({ name: "a", selectors })), nginx);
  expect(match).toEqual({
    precision: "None",
    failedOn: ["apiVersion", "namespace", "name", "labelSelector", "exclude"],
  });
});

test("the choice does not depend on the order of the policies, and no input is changed", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyPolicy, {
        selector: (each) => `${each.metadata.namespace}/${each.metadata.name}`,
        maxLength: 8,
      }),
      anyTemplate,
      fc.nat(),
      (policies, template, seed) => {
        const compiled = deepFreeze(policies).map(compilePolicy);
        const shuffled = compiled.toSorted((a, b) => rank(a.policy, seed) - rank(b.policy, seed));
        const inReach = (each: (typeof compiled)[number]) => isInReach(each.policy, template);
        const chosen = chooseClaimant(compiled.filter(inReach), deepFreeze(template));
        expect(chooseClaimant(shuffled.filter(inReach), template)).toEqual(chosen);
        expect(rankClaimants(shuffled.filter(inReach), template)[0]).toEqual(chosen);
      },
    ),
  );
});

test("what decided is told", () => {
  const [first, second] = rankClaimants(
    [
      policyOf({ name: "a", selectors: [deployments] }),
      policyOf({ name: "b", priority: 2, selectors: [deployments] }),
    ].map(compilePolicy),
    nginx,
  );
  expect([first?.policy.metadata.name, decidedBy(first!, second!)]).toEqual(["b", "priority"]);
});

function rank({ metadata }: Policy, seed: number): number {
  return (metadata.name.charCodeAt(0) * 31 + (metadata.namespace?.length ?? 0) * 7 + seed) % 13;
}
