import { describe, expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import { releasedClustersAnnotation } from "#api/work/template-keys.ts";
import type { Work } from "#api/work/work.ts";
import { decideWorks, type WorksStep } from "./decide-works.ts";

interface Sketch {
  readonly targets: readonly string[];
  readonly requiredBy: readonly string[];
  readonly works: readonly string[];
  readonly evicting: readonly (readonly [string, "Directly" | "Gracefully"])[];
  readonly deleted: boolean;
  readonly templateGone: boolean;
  readonly broken: string;
  readonly suspended: boolean;
  /** The clusters on which the change is released so far. */
  readonly released: string;
}

const cases: Readonly<
  Record<string, { reason: string; given: Partial<Sketch>; expect: readonly string[]; waits?: string }>
> = {
  "scheduled to two": {
    reason: "one work per target",
    given: { targets: ["m2", "m1"] },
    expect: ["putWork m1", "putWork m2"],
  },
  "required elsewhere": {
    reason: "clusters of referrers count, the first mention of a cluster wins",
    given: { targets: ["m1"], requiredBy: ["m1", "m2"] },
    expect: ["putWork m1", "putWork m2"],
  },
  "a target is withdrawn": {
    reason: "the work of a cluster that is no longer a target is an orphan",
    given: { targets: ["m1"], works: ["m1", "m2"] },
    expect: ["deleteWork m2: cluster no longer a target", "putWork m1"],
  },
  "graceful eviction": {
    reason: "the old work stays until the task is gone",
    given: { targets: ["m2"], works: ["m1"], evicting: [["m1", "Gracefully"]] },
    expect: ["putWork m2"],
  },
  "direct purge": {
    reason: "the old work must be gone before any new one appears",
    given: { targets: ["m2"], works: ["m1"], evicting: [["m1", "Directly"]] },
    expect: ["deleteWork m1: cluster no longer a target"],
    waits: "work in m1 is being purged",
  },
  "direct purge with nowhere to go": {
    reason: "the only copy is not given up for nothing",
    given: { works: ["m1"], evicting: [["m1", "Directly"]] },
    expect: [],
  },
  "direct purge with nothing to send": {
    reason: "the only copy is not given up for nothing",
    given: { targets: ["m2"], works: ["m1"], evicting: [["m1", "Directly"]], broken: "m2" },
    expect: ["reportFailure m2"],
  },
  "direct purge of what others still need": {
    reason: "what needs it leaves when it serves elsewhere, and needs it there first",
    given: { targets: ["m2"], requiredBy: ["m1", "m2"], works: ["m1"], evicting: [["m1", "Directly"]] },
    expect: ["putWork m1", "putWork m2"],
  },
  "suspended on its way out": {
    reason: "a copy that leaves is not repaired while dispatching is suspended",
    given: { targets: ["m2"], works: ["m1"], evicting: [["m1", "Gracefully"]], suspended: true },
    expect: ["putWork m2", "putWork m1"],
  },
  "the binding goes": {
    reason: "its works go first",
    given: { targets: ["m1"], works: ["m1"], deleted: true },
    expect: ["deleteWork m1: binding deleted"],
    waits: "works are being removed",
  },
  "the binding may go": {
    reason: "nothing is left",
    given: { targets: ["m1"], deleted: true },
    expect: ["releaseBinding"],
  },
  "the template is gone": {
    reason: "its collection will take the binding along; nothing is deleted on a guess",
    given: { targets: ["m1"], works: ["m1"], templateGone: true },
    expect: [],
  },
  "one cluster fails": {
    reason: "the others are served",
    given: { targets: ["m1", "m2"], broken: "m1" },
    expect: ["reportFailure m1", "putWork m2"],
  },
  "released elsewhere first": {
    reason: "a cluster whose turn has not come loses nothing",
    given: { targets: ["m1"], works: ["m1", "m2"], released: "m1" },
    expect: ["putWork m1"],
  },
  "released where it leaves": {
    reason: "its turn has come",
    given: { targets: ["m1"], works: ["m1", "m2"], released: "m1, m2" },
    expect: ["deleteWork m2: cluster no longer a target", "putWork m1"],
  },
  "purged where it is held back": {
    reason: "what fails is not kept for a release",
    given: { targets: ["m2"], works: ["m1"], evicting: [["m1", "Directly"]], released: "m2" },
    expect: ["deleteWork m1: cluster no longer a target"],
    waits: "work in m1 is being purged",
  },
  unscheduled: { reason: "no targets, no works, and none are taken away but orphans", given: {}, expect: [] },
};

for (const kind of ["ResourceBinding", "ClusterResourceBinding"] as const) {
  describe(kind, () => {
    for (const [name, { reason, given, expect: expected, waits }] of Object.entries(cases)) {
      test(name, () => {
        const plan = decideWorks(facts(kind, given));
        expect(plan.steps.map(line), reason).toEqual(expected);
        expect(plan.waitFor?.reason, reason).toBe(waits);
      });
    }
  });
}

function facts(kind: Binding["kind"], given: Partial<Sketch>) {
  const { targets, requiredBy = [], works = [], evicting = [], deleted = false, templateGone = false, broken } = given;
  const { suspended = false, released } = given;
  const annotations = released === undefined ? {} : { [releasedClustersAnnotation]: released };
  const binding = {
    kind,
    metadata: { name: "b", ...(deleted ? { deletionTimestamp: "x" } : {}) },
    spec: {
      ...(targets === undefined ? {} : { clusters: targets.map((name) => ({ name })) }),
      ...(suspended ? { suspension: { dispatching: true } } : {}),
      requiredBy: [{ name: "r", clusters: requiredBy.map((name) => ({ name })) }],
      gracefulEvictionTasks: evicting.map(([fromCluster, purgeMode]) => ({ fromCluster, purgeMode })),
    },
  } as unknown as Binding;
  const work = (cluster: string) => ({ metadata: { name: cluster }, spec: {} }) as unknown as Work;
  return {
    binding,
    template: templateGone ? undefined : ({ metadata: { name: "t", annotations } } as unknown as ApiObject),
    works: new Map(works.map((cluster) => [cluster, work(cluster)])),
    rendered: new Map(
      [...(targets ?? []), ...requiredBy].map((name) => [
        name,
        name === broken ? { ok: false as const, error: "broken" } : { ok: true as const, work: work(name) },
      ]),
    ),
  };
}

function line(step: WorksStep): string {
  if (step.do === "releaseBinding") return step.do;
  return step.do === "deleteWork" ? `${step.do} ${step.cluster}: ${step.because}` : `${step.do} ${step.cluster}`;
}
