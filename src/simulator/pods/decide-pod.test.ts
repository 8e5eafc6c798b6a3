import { expect, test } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import type { PodFault } from "#simulator/faults.ts";
import type { SimulatedObject } from "#simulator/simulated-object.ts";
import { nowMs, printPlan, readyNode, runningPod, sketch, statusIn } from "#test/world/simulated-objects.ts";
import { decidePod, type PodFacts } from "./decide-pod.ts";

const scheduled: Fields = {
  phase: "Pending",
  qosClass: "BestEffort",
  conditions: [
    { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: "2029-12-31T23:59:00Z" },
  ],
};
const job = sketch("Job", { name: "work" });

function pending(spec: Fields = {}, owner?: SimulatedObject): SimulatedObject {
  const containers = [{ name: "c", image: "nginx" }];
  return sketch("Pod", {
    name: "p",
    spec: { nodeName: "n1", containers, restartPolicy: "Always", ...spec },
    status: scheduled,
    ...(owner === undefined ? {} : { owner }),
  });
}

function facts(given: Partial<PodFacts> & Pick<PodFacts, "pod">): PodFacts {
  return {
    node: readyNode("n1"),
    fault: undefined,
    pace: { startMs: 0, stopMs: 0, jobMs: 0 },
    elapsedMs: 0,
    podAddress: "10.244.0.9",
    nowMs,
    ...given,
  };
}

/** The pod after the plan's status was written, and the next plan. */
function after(given: PodFacts): SimulatedObject {
  return { ...given.pod, status: statusIn(decidePod(given)) ?? given.pod.status ?? {} };
}

const shown = (status: Fields | undefined) => ({
  phase: status?.["phase"],
  ready: status?.["conditions"]?.find(({ type }: Fields) => type === "Ready")?.status,
  state: Object.keys(status?.["containerStatuses"]?.[0]?.state ?? {})[0],
  reason:
    status?.["containerStatuses"]?.[0]?.state?.waiting?.reason ??
    status?.["containerStatuses"]?.[0]?.state?.terminated?.reason,
});

interface Row {
  readonly reason: string;
  readonly given: Partial<PodFacts> & Pick<PodFacts, "pod">;
  readonly shows?: ReturnType<typeof shown>;
  readonly does?: readonly string[];
}

const fault = (kind: Exclude<PodFault["kind"], "slow-start">): PodFault => ({ kind });
const running = { phase: "Running", ready: "True", state: "running", reason: undefined };

const rows: Readonly<Record<string, Row>> = {
  "no delay": { reason: "one write takes it from Pending to ready", given: { pod: pending() }, shows: running },
  "a short delay": {
    reason: "a start that nobody could see is not shown",
    given: { pod: pending(), pace: { startMs: 300, stopMs: 0, jobMs: 0 }, elapsedMs: 100 },
    does: ["wait for pod is creating: 200 ms"],
  },
  "a long delay": {
    reason: "people see ContainerCreating",
    given: { pod: pending(), pace: { startMs: 5_000, stopMs: 0, jobMs: 0 } },
    shows: { phase: "Pending", ready: "False", state: "waiting", reason: "ContainerCreating" },
  },
  "a slow start": {
    reason: "the fault's delay comes on top of the pace",
    given: { pod: pending(), fault: { kind: "slow-start", delayMs: 30_000 }, elapsedMs: 29_000 },
    shows: { phase: "Pending", ready: "False", state: "waiting", reason: "ContainerCreating" },
  },
  "never ready": {
    reason: "it runs all the same",
    given: { pod: pending(), fault: fault("never-ready") },
    shows: { phase: "Running", ready: "False", state: "running", reason: undefined },
  },
  "an image that cannot be pulled": {
    reason: "first the error",
    given: { pod: pending(), fault: fault("image-pull-error") },
    shows: { phase: "Pending", ready: "False", state: "waiting", reason: "ErrImagePull" },
  },
  "an image that still cannot be pulled": {
    reason: "then the back-off",
    given: {
      pod: after(facts({ pod: pending(), fault: fault("image-pull-error") })),
      fault: fault("image-pull-error"),
      elapsedMs: 2_000,
    },
    shows: { phase: "Pending", ready: "False", state: "waiting", reason: "ImagePullBackOff" },
  },
  "an image that can be pulled at last": {
    reason: "a cleared fault heals",
    given: { pod: after(facts({ pod: pending(), fault: fault("image-pull-error") })) },
    shows: running,
  },
  "a crash": {
    reason: "kubelet waits before it starts the container again",
    given: { pod: pending(), fault: fault("crash-loop") },
    shows: { phase: "Running", ready: "False", state: "waiting", reason: "CrashLoopBackOff" },
  },
  "a pod of a Job": {
    reason: "it ends well",
    given: { pod: pending({ restartPolicy: "Never" }, job) },
    shows: { phase: "Succeeded", ready: "False", state: "terminated", reason: "Completed" },
  },
  "a pod of a Job that fails": {
    reason: "Never means that the pod fails with its container",
    given: { pod: pending({ restartPolicy: "Never" }, job), fault: fault("fail") },
    shows: { phase: "Failed", ready: "False", state: "terminated", reason: "Error" },
  },
  "a pod of a Job that fails and is restarted": {
    reason: "OnFailure restarts the container in its pod",
    given: { pod: pending({ restartPolicy: "OnFailure" }, job), fault: fault("fail") },
    shows: { phase: "Running", ready: "False", state: "waiting", reason: "CrashLoopBackOff" },
  },
  "a deleted pod": {
    reason: "it ends when its containers have stopped",
    given: { pod: runningPod({ name: "p", deleted: true }) },
    does: ["delete Pod p: its containers have stopped"],
  },
  "a deleted pod that takes its time": {
    reason: "never longer than the pace has it",
    given: {
      pod: runningPod({ name: "p", deleted: true }),
      pace: { startMs: 0, stopMs: 700, jobMs: 0 },
      elapsedMs: 200,
    },
    does: ["wait for containers are stopping: 500 ms"],
  },
  "a deleted pod whose grace is shorter than the pace": {
    reason: "the grace period bounds the stop",
    given: {
      pod: runningPod({ name: "p", deleted: true }),
      pace: { startMs: 0, stopMs: 90_000, jobMs: 0 },
      elapsedMs: 30_000,
    },
    does: ["delete Pod p: its containers have stopped"],
  },
  "the node is gone": {
    reason: "nobody runs the pod any more",
    given: { pod: runningPod({ name: "p" }), node: undefined },
    does: ["delete Pod p: its node is gone"],
  },
  "an ended pod": {
    reason: "the end is the end",
    given: { pod: runningPod({ name: "p", status: { phase: "Succeeded" } }) },
    does: [],
  },
};

for (const [name, { reason, given, shows, does }] of Object.entries(rows)) {
  test(name, () => {
    const plan = decidePod(facts(given));
    if (shows !== undefined) expect(shown(statusIn(plan)), reason).toEqual(shows);
    if (does !== undefined) expect(printPlan(plan), reason).toEqual(does);
  });
}

test("a status that is there already is not written again, whenever the question comes", () => {
  for (const kind of [undefined, "never-ready", "image-pull-error"] as const) {
    const given = facts({ pod: pending(), fault: kind === undefined ? undefined : fault(kind) });
    const again = { ...given, pod: after(given), nowMs: nowMs + 1_000, elapsedMs: 1_000 };
    expect(statusIn(decidePod(again)), String(kind)).toBeUndefined();
  }
});

test("each crash counts and the next restart comes later", () => {
  const seen: string[] = [];
  let given = facts({ pod: pending(), fault: fault("crash-loop") });
  for (let crash = 0; crash < 4; crash++) {
    const plan = decidePod(given);
    const status = statusIn(plan)!;
    const retryAfterMs = plan.waitFor!.retryAfterMs!;
    seen.push(`${status["containerStatuses"][0].restartCount} restarts, next in ${retryAfterMs / 1_000} s`);
    given = { ...given, pod: { ...given.pod, status }, nowMs: given.nowMs + retryAfterMs };
  }
  expect(seen).toEqual([
    "1 restarts, next in 10 s",
    "2 restarts, next in 20 s",
    "3 restarts, next in 40 s",
    "4 restarts, next in 80 s",
  ]);
});

test("a node that fails makes its pods unready and drives them out after five minutes", () => {
  const taint = { key: "node.kubernetes.io/not-ready", effect: "NoExecute", timeAdded: "2030-01-01T00:00:00Z" };
  const node = readyNode("n1", {
    spec: { taints: [taint] },
    status: { conditions: [{ type: "Ready", status: "False" }] },
  });
  const pod = runningPod({ name: "p" });
  const first = decidePod(facts({ pod, node }));
  expect(shown(statusIn(first)).ready).toBe("False");
  expect(first.waitFor?.retryAfterMs).toBe(300_000);
  expect(printPlan(decidePod(facts({ pod, node, nowMs: nowMs + 300_000 })))).toEqual(["delete Pod p: its node failed"]);
  const tolerant = runningPod({ name: "p", ready: false, spec: { tolerations: [{ operator: "Exists" }] } });
  expect(printPlan(decidePod(facts({ pod: tolerant, node, nowMs: nowMs + 900_000 })))).toEqual([]);
});
