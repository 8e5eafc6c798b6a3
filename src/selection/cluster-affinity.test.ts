import { expect, test } from "vitest";
import type { ClusterAffinity } from "#api/policy/cluster-affinity.ts";
import { sketchCluster } from "#test/world/scheduling-sketch.ts";
import { type AffinityPart, compileClusterAffinity, matchesCluster } from "./cluster-affinity.ts";

const paris = sketchCluster({
  name: "paris",
  labels: { env: "prod" },
  spec: { provider: "aws", region: "eu", zone: "old", zones: ["eu-1", "eu-2"] },
});
const bare = sketchCluster({ name: "bare" });

const field = (key: string, operator: string, ...values: string[]): ClusterAffinity => ({
  fieldSelector: { matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }] },
});

const cases: Record<
  string,
  { affinity: ClusterAffinity; paris: AffinityPart | undefined; bare: AffinityPart | undefined }
> = {
  "an empty affinity takes any cluster": { affinity: {}, paris: undefined, bare: undefined },
  "an empty list of names takes any cluster": { affinity: { clusterNames: [] }, paris: undefined, bare: undefined },
  "names are compared exactly": {
    affinity: { clusterNames: ["Paris", "bare"] },
    paris: "clusterNames",
    bare: undefined,
  },
  "exclude wins over a name": {
    affinity: { clusterNames: ["paris"], exclude: ["paris"] },
    paris: "exclude",
    bare: "clusterNames",
  },
  "an empty label selector takes any cluster": { affinity: { labelSelector: {} }, paris: undefined, bare: undefined },
  "all parts must agree": {
    affinity: { labelSelector: { matchLabels: { env: "prod" } }, ...field("region", "In", "us") },
    paris: "fieldSelector",
    bare: "labelSelector",
  },
  "an unknown operator on a label takes none": {
    affinity: { labelSelector: { matchExpressions: [{ key: "env", operator: "Equals", values: ["prod"] }] } },
    paris: "labelSelector",
    bare: "labelSelector",
  },
  "zone In asks for any of the zones": {
    affinity: field("zone", "In", "eu-2", "x"),
    paris: undefined,
    bare: "fieldSelector",
  },
  "zone NotIn asks that none of the zones is named": {
    affinity: field("zone", "NotIn", "eu-2"),
    paris: "fieldSelector",
    bare: undefined,
  },
  "the deprecated zone is not looked at": {
    affinity: field("zone", "In", "old"),
    paris: "fieldSelector",
    bare: "fieldSelector",
  },
  "a provider that is not set is not in any list": {
    affinity: field("provider", "NotIn", "aws"),
    paris: "fieldSelector",
    bare: undefined,
  },
  "a provider that is not set does not exist": {
    affinity: field("provider", "DoesNotExist"),
    paris: "fieldSelector",
    bare: undefined,
  },
  "other fields never exist": { affinity: field("syncMode", "Exists"), paris: "fieldSelector", bare: "fieldSelector" },
  "In without values is not valid": { affinity: field("region", "In"), paris: "fieldSelector", bare: "fieldSelector" },
  "Exists with values is not valid": {
    affinity: field("region", "Exists", "eu"),
    paris: "fieldSelector",
    bare: "fieldSelector",
  },
  "a field selector without expressions takes any cluster": {
    affinity: { fieldSelector: {} },
    paris: undefined,
    bare: undefined,
  },
};

test.each(Object.entries(cases))("%s", (_, { affinity, paris: ofParis, bare: ofBare }) => {
  const { mismatch } = compileClusterAffinity(affinity);
  expect(mismatch(paris)).toBe(ofParis);
  expect(mismatch(bare)).toBe(ofBare);
  expect(matchesCluster(affinity, paris)).toBe(ofParis === undefined);
});
