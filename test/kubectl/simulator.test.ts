import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noDelays } from "#simulator/simulator-options.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import type { KubectlVersion } from "./client-binaries.ts";
import { Kubectl } from "./kubectl.ts";

const versions: readonly KubectlVersion[] = ["v32", "v36"];

for (const version of versions) {
  describe(`kubectl ${version} on a simulated member`, () => {
    let world: TestFleet;
    let kubectl: Kubectl;
    const run = (...args: readonly string[]) => kubectl.run("--context=member1", ...args);
    const feed = (manifest: string) => kubectl.feed(manifest, "--context=member1", "apply", "-f", "-");
    /** Waits for something that must come; a test that waits in vain fails with what it saw last. */
    const eventually = (args: readonly string[], match: RegExp) =>
      expect.poll(() => run(...args), { timeout: 15_000, interval: 200 }).toMatch(match);

    beforeAll(async () => {
      world = await startTestFleet({ members: ["member1"], simulator: { pace: noDelays } });
      kubectl = new Kubectl(version, world.kubeconfig);
      await world.fleet.simulators.get("member1")?.ready;
    });
    afterAll(() => world[Symbol.asyncDispose]());

    test("nodes are Ready", async () => {
      expect(await run("get", "nodes")).toMatch(
        /^NAME +STATUS +ROLES +AGE +VERSION\n(member1-node-[123] +Ready +<none> +\S+ +v1\.36\.0\n){3}$/,
      );
      expect(await run("describe", "node", "member1-node-1")).toMatch(/Ready +True .* KubeletReady/);
    });

    test("a deployment runs, is scaled, restarted with surge, rolled back", async () => {
      await run("create", "deployment", "web", "--image=nginx", "--replicas=3");
      expect(await run("rollout", "status", "deploy/web", "--timeout=20s")).toContain(
        'deployment "web" successfully rolled out',
      );
      expect(await run("get", "pods", "-l", "app=web")).toMatch(
        /^NAME +READY +STATUS +RESTARTS +AGE\n(web-\S+ +1\/1 +Running +0 +\S+\n){3}$/,
      );
      expect(await run("get", "deploy", "web")).toMatch(/\nweb +3\/3 +3 +3 +\S+\n$/);
      await run("scale", "deploy/web", "--replicas=5");
      await run("rollout", "status", "deploy/web", "--timeout=20s");
      expect((await run("get", "pods", "-l", "app=web", "-o", "name")).trim().split("\n")).toHaveLength(5);
      await run("rollout", "restart", "deploy/web");
      expect(await run("rollout", "status", "deploy/web", "--timeout=20s")).toContain("successfully rolled out");
      await run("set", "image", "deploy/web", "nginx=nginx:2");
      await run("rollout", "status", "deploy/web", "--timeout=20s");
      expect(await run("rollout", "history", "deploy/web")).toMatch(/\n1 +<none>\n2 +<none>\n3 +<none>\n/);
      await run("rollout", "undo", "deploy/web", "--to-revision=1");
      await run("rollout", "status", "deploy/web", "--timeout=20s");
      expect(await run("get", "pods", "-l", "app=web", "-o", "jsonpath={.items[*].spec.containers[0].image}")).toBe(
        "nginx nginx nginx nginx nginx",
      );
      expect(await run("wait", "--for=condition=Available", "deploy/web", "--timeout=10s")).toContain("condition met");
    });

    test("describe shows a pod in full", async () => {
      const name = (await run("get", "pods", "-l", "app=web", "-o", "name")).split("\n")[0]!;
      const text = await run("describe", name);
      expect(text).toMatch(/Node: +member1-node-\d\/172\.18\.0\.\d/);
      expect(text).toMatch(/Status: +Running/);
      expect(text).toMatch(/Controlled By: +ReplicaSet\/web-/);
      expect(text).toMatch(/QoS Class: +BestEffort/);
      expect(text).toMatch(/Ready +True/);
    });

    test("an exposed deployment has endpoints", async () => {
      await run("expose", "deploy/web", "--port=80", "--type=LoadBalancer");
      await eventually(["get", "svc", "web"], /web +LoadBalancer +10\.\S+ +198\.\S+ +80:\d+\/TCP/);
      await eventually(
        ["get", "endpointslices", "-l", "kubernetes.io/service-name=web"],
        /web-\S+ +IPv4 +80 +10\.244\.\d+\.\d+,10\.244\.\d+\.\d+,10\.244\.\d+\.\d+ \+ 2 more\.\.\./,
      );
      await run("create", "ingress", "web", "--rule=example.com/=web:80");
      await eventually(["get", "ingress", "web"], /example\.com +198\.18\.0\.1/);
    });

    test("a stateful set with claims, a daemon set, a budget", async () => {
      await feed(workloads);
      expect(await run("rollout", "status", "sts/db", "--timeout=20s")).toMatch(
        /roll out complete|rolling update complete/,
      );
      expect(await run("get", "pods", "-l", "app=db")).toMatch(/db-0 +1\/1 +Running.*\ndb-1 +1\/1 +Running.*\n$/);
      await eventually(["get", "pvc"], /data-db-0 +Bound +pvc-\S+ +1Gi +RWO[^\n]*\ndata-db-1 +Bound/);
      expect(await run("rollout", "status", "ds/agent", "--timeout=20s")).toContain(
        'daemon set "agent" successfully rolled out',
      );
      expect(await run("get", "ds", "agent")).toMatch(/agent +3 +3 +3 +3 +3 +<none>/);
      await run("rollout", "restart", "ds/agent");
      await run("rollout", "status", "ds/agent", "--timeout=20s");
      await run("set", "image", "sts/db", "c=postgres:2");
      await run("rollout", "status", "sts/db", "--timeout=20s");
      await run("rollout", "undo", "sts/db");
      await run("rollout", "status", "sts/db", "--timeout=20s");
      expect(await run("get", "pods", "-l", "app=db", "-o", "jsonpath={.items[*].spec.containers[0].image}")).toBe(
        "postgres postgres",
      );
      await eventually(["get", "pdb", "db"], /db +1 +N\/A +1 +/);
    });

    test("a job completes, one that fails says so", async () => {
      await run("create", "job", "good", "--image=busybox");
      expect(await run("wait", "--for=condition=complete", "job/good", "--timeout=20s")).toContain("condition met");
      expect(await run("get", "job", "good")).toMatch(/good +Complete +1\/1/);
      expect(await run("get", "pods", "-l", "job-name=good")).toMatch(/good-\S+ +0\/1 +Completed/);
      await feed(failingJob);
      expect(await run("wait", "--for=condition=failed", "job/bad", "--timeout=20s")).toContain("condition met");
      expect(await run("get", "job", "bad")).toMatch(/bad +Failed +0\/1/);
    });

    test("what goes wrong shows in get pods", async () => {
      await run("create", "deployment", "pull", "--image=does-not-exist");
      await eventually(["get", "pods", "-l", "app=pull"], /pull-\S+ +0\/1 +(ErrImagePull|ImagePullBackOff) +0/);
      await run("create", "deployment", "crash", "--image=nginx");
      await run("rollout", "status", "deploy/crash", "--timeout=20s");
      await run("annotate", "deploy/crash", "simulator.flotilla.io/fault=crash-loop");
      await eventually(["get", "pods", "-l", "app=crash"], /crash-\S+ +0\/1 +CrashLoopBackOff +1/);
      await run("annotate", "deploy/crash", "simulator.flotilla.io/fault-");
      await eventually(["get", "pods", "-l", "app=crash"], /crash-\S+ +1\/1 +Running +1/);
      await run(
        "run",
        "big",
        "--image=nginx",
        `--overrides={"spec":{"containers":[{"name":"big","image":"nginx","resources":{"requests":{"cpu":"20"}}}]}}`,
      );
      await eventually(
        ["get", "pod", "big", "-o", "jsonpath={.status.conditions[0].message}"],
        /^0\/3 nodes are available: 3 Insufficient cpu\./,
      );
    });

    test("a cordoned node takes no more pods, a drained one none at all", async () => {
      await run("delete", "pod", "big", "--wait=false");
      expect(await run("drain", "member1-node-1", "--ignore-daemonsets", "--force", "--timeout=20s")).toContain(
        "node/member1-node-1 drained",
      );
      await run("rollout", "status", "deploy/web", "--timeout=20s");
      const nodes = await run("get", "pods", "-l", "app=web", "-o", "jsonpath={.items[*].spec.nodeName}");
      expect(nodes).not.toContain("member1-node-1");
      await run("uncordon", "member1-node-1");
    });

    test("delete takes pods along, or leaves them to be adopted", async () => {
      await run("delete", "deploy", "web", "--timeout=20s");
      await eventually(["get", "rs,pods", "-l", "app=web", "--ignore-not-found"], /^$/);
      await run("create", "deployment", "kept", "--image=nginx");
      await run("rollout", "status", "deploy/kept", "--timeout=20s");
      const before = await run("get", "pods", "-l", "app=kept", "-o", "name");
      await run("delete", "deploy", "kept", "--cascade=orphan");
      await run("create", "deployment", "kept", "--image=nginx");
      await run("rollout", "status", "deploy/kept", "--timeout=20s");
      expect(await run("get", "pods", "-l", "app=kept", "-o", "name"), "adopted, not replaced").toBe(before);
    });

    test("once everything has settled nothing is written", async () => {
      await run("delete", "deploy", "crash", "pull");
      await settled(world);
    });
  });
}

test("a fleet that is started again goes on where it was and writes nothing", async () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-again-"));
  try {
    const options = { members: ["member1"], memory: false, directory, simulator: { pace: noDelays } };
    const first = await startTestFleet(options);
    const kubectl = new Kubectl("v36", first.kubeconfig);
    await kubectl.feed(workloads, "--context=member1", "apply", "-f", "-");
    await kubectl.run("--context=member1", "rollout", "status", "sts/db", "--timeout=20s");
    await kubectl.run("--context=member1", "rollout", "status", "ds/agent", "--timeout=20s");
    const before = await settled(first);
    await first[Symbol.asyncDispose]();
    const second = await startTestFleet(options);
    await second.fleet.simulators.get("member1")?.whenIdle();
    expect(await settled(second)).toBe(before);
    const again = new Kubectl("v36", second.kubeconfig);
    await again.run("--context=member1", "scale", "sts/db", "--replicas=3");
    await again.run("--context=member1", "rollout", "status", "sts/db", "--timeout=20s");
    expect(await again.run("--context=member1", "get", "sts", "db")).toMatch(/db +3\/3/);
    await second[Symbol.asyncDispose]();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

/** The revision at which the member's store comes to rest; fails when it goes on being written to. */
async function settled({ fleet }: TestFleet): Promise<number> {
  const { store } = fleet.members[0]!.server.core;
  const writesWithinASecond = async () => {
    const before = store.revision;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return store.revision - before;
  };
  await expect.poll(writesWithinASecond, { timeout: 20_000, interval: 10 }).toBe(0);
  return store.revision;
}

const workloads = `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  replicas: 2
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: c, image: postgres }] }
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec: { containers: [{ name: c, image: agent }] }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: db }
spec: { minAvailable: 1, selector: { matchLabels: { app: db } } }
`;

const failingJob = `
apiVersion: batch/v1
kind: Job
metadata: { name: bad, annotations: { simulator.flotilla.io/fault: fail } }
spec:
  backoffLimit: 0
  template: { spec: { restartPolicy: Never, containers: [{ name: c, image: busybox }] } }
`;
