import { expect, test } from "vitest";
import type { LabelSelector } from "#api/meta/label-selector.ts";
import { type ClusterRole, decideAggregatedRole } from "./decide-aggregated-role.ts";

const rule = (resource: string) => ({ verbs: ["get"], apiGroups: [""], resources: [resource] });

const parts: readonly ClusterRole[] = [
  role("b", { labels: { to: "view" }, rules: ["pods", "nodes"] }),
  role("a", { labels: { to: "view" }, rules: ["events", "pods"] }),
  role("c", { labels: { to: "edit" }, rules: ["secrets"] }),
  role("d", { rules: ["leases"] }),
];

const cases: Record<
  string,
  {
    reason: string;
    selectors?: readonly LabelSelector[];
    rules?: readonly string[];
    going?: boolean;
    expect?: readonly string[];
  }
> = {
  "an ordinary role": { reason: "its rules are its own", rules: ["pods"] },
  "one selector": {
    reason: "by name, each rule once",
    selectors: [{ matchLabels: { to: "view" } }],
    expect: ["events", "pods", "nodes"],
  },
  "two selectors": {
    reason: "either may pick",
    selectors: [{ matchLabels: { to: "edit" } }, { matchLabels: { to: "view" } }],
    expect: ["events", "pods", "nodes", "secrets"],
  },
  "a selector that picks nobody": {
    reason: "what it had before is not its own",
    selectors: [{ matchLabels: { to: "none" } }],
    rules: ["pods"],
    expect: [],
  },
  "rules as they should be": {
    reason: "nothing to write",
    selectors: [{ matchLabels: { to: "edit" } }],
    rules: ["secrets"],
  },
  "a selector that picks everything, itself included": {
    reason: "a role is not a part of itself",
    selectors: [{}],
    rules: ["configmaps"],
    expect: ["events", "pods", "nodes", "secrets", "leases"],
  },
  "a role that is going": { reason: "not worth it", selectors: [{ matchLabels: { to: "view" } }], going: true },
};

for (const [name, { reason, selectors, rules = [], going = false, expect: expected }] of Object.entries(cases)) {
  test(name, () => {
    const plain = role("sum", { labels: { to: "view" }, rules });
    const metadata = going ? { ...plain.metadata, deletionTimestamp: "2030-01-01T00:00:00Z" } : plain.metadata;
    const whole: ClusterRole = {
      ...plain,
      metadata,
      ...(selectors === undefined ? {} : { aggregationRule: { clusterRoleSelectors: selectors } }),
    };
    const { steps } = decideAggregatedRole({ role: whole, roles: [whole, ...parts] });
    const written = expected === undefined ? [] : [{ do: "writeRules", rules: expected.map(rule) }];
    expect(steps, reason).toEqual(written);
  });
}

function role(
  name: string,
  { labels, rules }: { readonly labels?: Readonly<Record<string, string>>; readonly rules: readonly string[] },
): ClusterRole {
  const metadata = { name, uid: name, resourceVersion: "1", creationTimestamp: "2030-01-01T00:00:00Z" };
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: labels === undefined ? metadata : { ...metadata, labels },
    rules: rules.map(rule),
  };
}
