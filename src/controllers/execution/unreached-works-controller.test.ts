import { expect, test } from "vitest";
import type { Cluster } from "#api/cluster/cluster.ts";
import type { Work } from "#api/work/work.ts";
import { sketchCluster } from "#test/world/scheduling-sketch.ts";
import { decideRelease, type Reach } from "./unreached-works-controller.ts";

const joined = sketchCluster({ name: "m1" });
const leaving = sketchCluster({ name: "m1", leaving: true });
const rows: Readonly<Record<string, { cluster: Cluster | undefined; reach: Reach; expect: string }>> = {
  "who stays keeps its works": { cluster: joined, reach: "failed", expect: "" },
  "who can be talked to has them let go by who talks to it": { cluster: leaving, reach: "reached", expect: "" },
  "who may be talked to yet is waited for": { cluster: leaving, reach: "tried", expect: "later" },
  "who cannot be talked to leaves": { cluster: leaving, reach: "failed", expect: "releaseWork" },
  "who has left is not waited for": { cluster: undefined, reach: "tried", expect: "releaseWork" },
  "who has an agent is left to that": {
    cluster: sketchCluster({ name: "m1", leaving: true, spec: { syncMode: "Pull" } }),
    reach: "failed",
    expect: "",
  },
};

test.each(Object.entries(rows))("%s", (_, { cluster, reach, expect: expected }) => {
  const { steps, waitFor } = decideRelease({ cluster, reach, works: [{} as Work] });
  const later = waitFor?.retryAfterMs === undefined ? [] : ["later"];
  expect([...steps.map((step) => step.do), ...later].join(" ")).toBe(expected);
});
