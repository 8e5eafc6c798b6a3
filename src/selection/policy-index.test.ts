import fc from "fast-check";
import { expect, test } from "vitest";
import { anyPolicy, anyTemplate, policyOf } from "#test/samples/policies.ts";
import { deepFreeze } from "#test/world/deep-freeze.ts";
import { chooseClaimant, isInReach } from "./choose-claimant.ts";
import { PolicyIndex } from "./policy-index.ts";
import { compilePolicy, matchSelectors } from "./policy-match.ts";
import type { Template } from "./template.ts";
import { TemplateIndex } from "./template-index.ts";

const deployments = { apiVersion: "apps/v1", kind: "Deployment" };

test("the index chooses the policy that a look at all of them chooses, after any edits", () => {
  fc.assert(
    fc.property(
      fc.array(anyPolicy, { maxLength: 12 }),
      fc.array(anyTemplate, { minLength: 1, maxLength: 4 }),
      (policies, templates) => {
        let index = PolicyIndex.empty();
        const all = new Map<string, (typeof policies)[number]>();
        for (const policy of deepFreeze(policies)) {
          index = index.with(policy);
          all.set(`${policy.metadata.namespace}/${policy.metadata.name}`, policy);
        }
        const [gone] = all.values();
        if (gone !== undefined) {
          index = index.without(gone.metadata);
          all.delete(`${gone.metadata.namespace}/${gone.metadata.name}`);
        }
        expect(index.size).toBe(all.size);
        for (const template of templates) {
          const inReach = [...all.values()].filter((policy) => isInReach(policy, template)).map(compilePolicy);
          expect(chooseClaimant(index.candidatesFor(template), template)).toEqual(chooseClaimant(inReach, template));
        }
      },
    ),
  );
});

test("the templates of a policy are those that a look at all of them finds", () => {
  fc.assert(
    fc.property(anyPolicy, fc.array(anyTemplate, { maxLength: 12 }), (policy, templates) => {
      const compiled = compilePolicy(policy);
      let index = TemplateIndex.empty();
      for (const template of templates) index = index.with(template);
      const gone = templates[0];
      if (gone !== undefined) index = index.without(gone);
      const kept = new Map(templates.map((template) => [keyOf(template), template]));
      if (gone !== undefined) kept.delete(keyOf(gone));
      const isMeant = (template: Template) =>
        isInReach(policy, template) && matchSelectors(compiled, template).precision !== "None";
      const found = index.candidatesFor(compiled).filter(isMeant);
      expect(found.map(keyOf).toSorted()).toEqual([...kept.values()].filter(isMeant).map(keyOf).toSorted());
      expect(index.size).toBe(kept.size);
    }),
  );
});

test("a template is asked about its own policies only, however many there are", () => {
  let index = PolicyIndex.empty();
  for (let i = 0; i < 500; i++) {
    const [namespace, app] = [`team-${i}`, `app-${i}`];
    index = index
      .with(policyOf({ name: "home", namespace, selectors: [deployments] }))
      .with(policyOf({ name: `named-${i}`, selectors: [{ ...deployments, name: app }] }))
      .with(policyOf({ name: `spaced-${i}`, selectors: [{ ...deployments, namespace: `${namespace},x${i}-*` }] }))
      .with(
        policyOf({ name: `labelled-${i}`, selectors: [{ ...deployments, labelSelector: { matchLabels: { app } } }] }),
      );
  }
  const template = { ...deployments, namespace: "team-7", name: "app-7", labels: { app: "app-7" } };
  const candidates = index.candidatesFor(template).map(({ policy }) => policy.metadata.name);
  expect(candidates.toSorted()).toEqual(["home", "labelled-7", "named-7", "spaced-7"]);
  expect(
    index
      .candidatesFor({ ...template, namespace: "x7-a", name: "y", labels: {} })
      .map(({ policy }) => policy.metadata.name),
  ).toEqual(["spaced-7"]);
});

test("a policy is asked about its own templates only", () => {
  let index = TemplateIndex.empty();
  for (let i = 0; i < 500; i++) {
    index = index.with({ ...deployments, namespace: `team-${i}`, name: `app-${i}`, labels: { app: `app-${i}` } });
  }
  const count = (sketch: Parameters<typeof policyOf>[0]) => index.candidatesFor(compilePolicy(policyOf(sketch))).length;
  expect(count({ name: "p", namespace: "team-1", selectors: [deployments] })).toBe(1);
  expect(count({ name: "p", selectors: [{ ...deployments, name: "app-3" }] })).toBe(1);
  expect(count({ name: "p", selectors: [{ ...deployments, namespace: "team-49*" }] })).toBe(11);
  expect(count({ name: "p", selectors: [{ ...deployments, labelSelector: { matchLabels: { app: "app-3" } } }] })).toBe(
    1,
  );
  expect(count({ name: "p", selectors: [{ apiVersion: "v1", kind: "Secret" }] })).toBe(0);
});

function keyOf({ kind, namespace, name }: Template): string {
  return `${kind} ${namespace}/${name}`;
}
