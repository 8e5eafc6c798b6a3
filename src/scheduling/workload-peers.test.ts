import { expect, test } from "vitest";
import type { Binding } from "#api/work/resource-binding.ts";
import { readShares, sketchBinding, sketchCluster } from "#test/world/scheduling-sketch.ts";
import { affinityTiers } from "./affinity-tiers.ts";
import { clusterFacts } from "./cluster-facts.ts";
import { compileFilters } from "./cluster-filters.ts";
import { findPeers } from "./workload-peers.ts";

interface Sketch {
  readonly name: string;
  readonly namespace?: string;
  readonly with?: string;
  readonly apartFrom?: string;
  readonly targets?: string;
}

function sketch({
  name,
  namespace = "shop",
  with: affinityGroup,
  apartFrom: antiAffinityGroup,
  targets,
}: Sketch): Binding {
  const workloadAffinityGroups = {
    ...(affinityGroup !== undefined && { affinityGroup }),
    ...(antiAffinityGroup !== undefined && { antiAffinityGroup }),
  };
  const clusters = targets === undefined ? {} : { clusters: readShares(targets) };
  const binding = sketchBinding({ spec: { workloadAffinityGroups, ...clusters } });
  return { ...binding, metadata: { ...binding.metadata, name, namespace } };
}

const cases: Record<string, { binding?: Partial<Sketch>; others: Sketch[]; open: string }> = {
  "without peers every cluster is open": { binding: { with: "app=a" }, others: [], open: "m1 m2 m3" },
  "a workload goes where its group is": {
    binding: { with: "app=a" },
    others: [{ name: "x", with: "app=a", targets: "m1 m2" }],
    open: "m1 m2",
  },
  "it goes only where all of its group are": {
    binding: { with: "app=a" },
    others: [
      { name: "x", with: "app=a", targets: "m1 m2" },
      { name: "y", with: "app=a", targets: "m2 m3" },
    ],
    open: "m2",
  },
  "a member of the group that is not scheduled yet says nothing": {
    binding: { with: "app=a" },
    others: [{ name: "x", with: "app=a" }],
    open: "m1 m2 m3",
  },
  "another group says nothing": {
    binding: { with: "app=a" },
    others: [{ name: "x", with: "app=b", targets: "m1" }],
    open: "m1 m2 m3",
  },
  "another namespace says nothing": {
    binding: { with: "app=a" },
    others: [{ name: "x", namespace: "other", with: "app=a", targets: "m1" }],
    open: "m1 m2 m3",
  },
  "a workload stays away from its group": {
    binding: { apartFrom: "app=a" },
    others: [{ name: "x", apartFrom: "app=a", targets: "m1" }],
    open: "m2 m3",
  },
  "it is not its own peer": {
    binding: { apartFrom: "app=a" },
    others: [{ name: "web", apartFrom: "app=a", targets: "m1" }],
    open: "m1 m2 m3",
  },
  "what runs already is not driven out": {
    binding: { apartFrom: "app=a", targets: "m1" },
    others: [{ name: "x", apartFrom: "app=a", targets: "m1 m2" }],
    open: "m1 m3",
  },
};

test.each(Object.entries(cases))("%s", (_, { binding, others, open }) => {
  const web = sketch({ name: "web", ...binding });
  const filters = compileFilters(web.spec, {
    affinity: affinityTiers(web.spec, undefined),
    peers: findPeers(web, others.map(sketch)),
  });
  const clusters = ["m1", "m2", "m3"].map((name) => clusterFacts(sketchCluster({ name })));
  expect(
    clusters
      .filter((each) => filters.exclusion(each) === undefined)
      .map(({ name }) => name)
      .join(" "),
  ).toBe(open);
});
