import { describe, expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { sketch } from "#test/world/simulated-objects.ts";
import type { RolloutFacts } from "./decide-rollout.ts";
import { isBeingScaled, scaleInProportion } from "./decide-scaling.ts";
import { sizeAnnotations } from "./replica-set-of-template.ts";

interface Row {
  readonly from: number;
  readonly to: number;
  /** Sizes from the oldest to the newest; the last is that of the present template, unless there is none. */
  readonly sizes: readonly number[];
  readonly hasNewest?: false;
  readonly becomes: readonly number[];
  readonly surge?: readonly [before: number, now: number];
}

/** What a real deployment controller does in these cases. */
const rows: Readonly<Record<string, Row>> = {
  "a lone ReplicaSet grows": { from: 10, to: 12, sizes: [10], becomes: [12] },
  "a lone ReplicaSet shrinks": { from: 10, to: 5, sizes: [10], becomes: [5] },
  "two grow by their sizes": { from: 5, to: 10, sizes: [3, 2], becomes: [6, 4] },
  "two shrink by their sizes": { from: 5, to: 3, sizes: [3, 2], becomes: [2, 1] },
  "what is small may vanish": { from: 9, to: 4, sizes: [1, 8], becomes: [0, 4] },
  "three grow": { from: 7, to: 10, sizes: [2, 3, 2], becomes: [3, 4, 3] },
  "three shrink": { from: 13, to: 8, sizes: [3, 8, 2], becomes: [2, 5, 1] },
  "what is left over goes to the newest": { from: 3, to: 4, sizes: [1, 1, 1], becomes: [1, 1, 2] },
  "what is left to take is taken from the oldest": { from: 3, to: 2, sizes: [1, 1, 1], becomes: [0, 1, 1] },
  "without one for the present template, the younger grows": {
    from: 4,
    to: 5,
    sizes: [2, 2],
    hasNewest: false,
    becomes: [2, 3],
  },
  "down to nothing": { from: 6, to: 0, sizes: [1, 2, 3], becomes: [0, 0, 0] },
  "pods above the number are shared too": { from: 10, to: 20, sizes: [6, 6], becomes: [11, 11], surge: [2, 2] },
  "number and surge change at once": { from: 10, to: 50, sizes: [8, 5], becomes: [34, 22], surge: [3, 6] },
  "number and template change at once": { from: 10, to: 14, sizes: [3, 7], hasNewest: false, becomes: [4, 10] },
};

describe("scaling during a rollout", () => {
  test.each(Object.entries(rows))("%s", (_, row) => {
    const facts = factsOf(row);
    expect(isBeingScaled(facts)).toBe(true);
    const sizes = new Map(scaleInProportion(facts).map(({ set, replicas }) => [set.metadata.name, replicas]));
    expect(row.sizes.map((size, index) => sizes.get(`rs-${index}`) ?? size)).toEqual(row.becomes);
  });

  test("nobody is being scaled while the number stays", () => {
    expect(isBeingScaled(factsOf({ from: 5, to: 5, sizes: [3, 2], becomes: [] }))).toBe(false);
  });

  test("from none, the one for the present template grows", () => {
    const facts = factsOf({ from: 6, to: 6, sizes: [0, 0, 0], becomes: [] });
    expect(scaleInProportion(facts)).toMatchObject([{ set: { metadata: { name: "rs-2" } }, replicas: 6 }]);
  });
});

function factsOf({ from, to, sizes, hasNewest, surge = [0, 0] }: Row): RolloutFacts {
  const deployment = (replicas: number, maxSurge: number) =>
    sketch("Deployment", { name: "web", spec: specOf(replicas, maxSurge) });
  const sets = sizes.map((replicas, index) =>
    sketch("ReplicaSet", {
      name: `rs-${index}`,
      createdMs: (index + 1) * 10_000,
      annotations: sizeAnnotations(deployment(from, surge[0])),
      spec: { replicas },
      status: { replicas, availableReplicas: replicas },
    }),
  );
  const newest = hasNewest === false ? undefined : sets.at(-1);
  const old = newest === undefined ? sets : sets.slice(0, -1);
  return { deployment: deployment(to, surge[1]), newest, old, hasPods: () => false };
}

function specOf(replicas: number, maxSurge: number): Fields {
  return { replicas, strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable: 1 } } };
}
