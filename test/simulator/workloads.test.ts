import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { faultAnnotation } from "#simulator/faults.ts";
import { openSimulatedCluster, type SimulatedCluster } from "#test/world/simulated-cluster.ts";

const deployment = (more = "", image = "nginx") => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 4
  ${more}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: c, image: ${image} }] }
`;
const template = (image: string) => ({ spec: { template: { spec: { containers: [{ name: "c", image }] } } } });

describe("a member without delays", () => {
  let member: SimulatedCluster;
  beforeEach(async () => {
    member = await openSimulatedCluster();
  });
  afterEach(() => member[Symbol.asyncDispose]());

  const podNames = async () => (await member.list("pods")).map(({ metadata }) => metadata.name);
  const status = async (name = "web") => (await member.get("deployments", name))?.status;

  test("its nodes are ready, with room and labels", async () => {
    const nodes = await member.list("nodes");
    expect(nodes.map(({ metadata }) => metadata.name)).toEqual(["m-node-1", "m-node-2", "m-node-3"]);
    expect(nodes[0]?.status).toMatchObject({ allocatable: { cpu: "8", memory: "32Gi", pods: "110" } });
    expect(nodes[1]?.metadata.labels).toMatchObject({
      "kubernetes.io/hostname": "m-node-2",
      "topology.kubernetes.io/zone": "zone-b",
    });
    expect(nodes.every((node) => node.status?.["conditions"].at(-1).type === "Ready")).toBe(true);
  });

  test("a Deployment becomes healthy, and then nothing is written any more", async () => {
    await member.create(deployment());
    expect(await status()).toMatchObject({
      observedGeneration: 2,
      replicas: 4,
      updatedReplicas: 4,
      readyReplicas: 4,
      availableReplicas: 4,
    });
    const pods = await member.list("pods");
    expect(new Set(pods.map(({ spec }) => spec["nodeName"])).size, "spread over all nodes").toBe(3);
    expect(new Set(pods.map((pod) => pod.status?.["podIP"])).size, "each with an address of its own").toBe(4);
    const settled = member.revision();
    await member.clock.advance(3_600_000);
    expect(member.revision()).toBe(settled);
  });

  test("a restart of the simulator writes nothing when nothing has changed", async () => {
    await member.create([deployment(), service, statefulSet, job, ...others].join("---"));
    await member.clock.advance(5_000);
    const before = [member.revision(), member.attempts()];
    await member.restart();
    await member.clock.advance(600_000);
    expect([member.revision(), member.attempts()], "and does not even try to").toEqual(before);
  });

  test("a rollout keeps enough pods available at every moment", async () => {
    await member.create(deployment("minReadySeconds: 5"));
    await member.clock.advance(10_000);
    const lowest: number[] = [];
    await member.patch("deployments", "web", template("nginx:2"));
    for (let second = 0; second < 60; second++) {
      await member.clock.advance(1_000);
      lowest.push((await status())?.["availableReplicas"] ?? 0);
    }
    expect(Math.min(...lowest), "maxUnavailable is 25 % of 4").toBeGreaterThanOrEqual(3);
    const images = (await member.list("pods")).map(({ spec }) => spec["containers"][0].image);
    expect(images).toEqual(["nginx:2", "nginx:2", "nginx:2", "nginx:2"]);
    const sets = await member.list("replicaSets");
    expect(sets.map(({ spec }) => spec["replicas"]).toSorted()).toEqual([0, 4]);
  });

  test("Recreate never runs two templates at the same time", async () => {
    await member.create(deployment("strategy: { type: Recreate }"));
    await member.patch("deployments", "web", template("nginx:2"));
    await member.clock.advance(1_000);
    const images = (await member.list("pods")).map(({ spec }) => spec["containers"][0].image);
    expect(images).toEqual(["nginx:2", "nginx:2", "nginx:2", "nginx:2"]);
  });

  test("a deleted pod is replaced, a deleted Deployment takes everything along", async () => {
    await member.create(deployment());
    const [first] = await podNames();
    await member.delete("pods", first!);
    expect(await podNames()).toHaveLength(4);
    expect(await podNames()).not.toContain(first);
    await member.delete("deployments", "web");
    await member.clock.advance(10_000);
    expect([await podNames(), await member.list("replicaSets")]).toEqual([[], []]);
  });

  test("pods that find no room wait, and run when there is some", async () => {
    await member.create(deployment().replace("image: nginx", 'image: nginx, resources: { requests: { cpu: "7" } }'));
    expect(await status()).toMatchObject({ readyReplicas: 3, unavailableReplicas: 1 });
    await member.create("apiVersion: v1\nkind: Node\nmetadata: { name: extra-9 }");
    expect(await status()).toMatchObject({ readyReplicas: 4 });
  });

  test("a stateful set comes up in order, with its claims bound, and goes down in reverse", async () => {
    await member.create(statefulSet);
    expect(await podNames()).toEqual(["db-0", "db-1", "db-2"]);
    const claims = await member.list("persistentVolumeClaims");
    expect(claims.map(({ metadata, status: is }) => `${metadata.name} ${is?.["phase"]}`)).toEqual([
      "data-db-0 Bound",
      "data-db-1 Bound",
      "data-db-2 Bound",
    ]);
    await member.patch("statefulSets", "db", { spec: { replicas: 1 } });
    expect(await podNames()).toEqual(["db-0"]);
    expect(await member.list("persistentVolumeClaims"), "claims stay").toHaveLength(3);
    await member.delete("persistentVolumeClaims", "data-db-2");
    await member.clock.advance(1_000);
    expect(await member.list("persistentVolumes"), "a volume goes with its claim").toHaveLength(2);
  });

  test("a service has the ready pods as endpoints and follows them", async () => {
    await member.create(`${deployment()}---${service}`);
    const ready = async () => {
      const slices = await member.list("endpointSlices");
      return slices
        .flatMap((slice) => (slice as unknown as { endpoints: { conditions: { ready: boolean } }[] }).endpoints)
        .filter(({ conditions }) => conditions.ready).length; // an EndpointSlice's
    };
    expect(await ready()).toBe(4);
    await member.patch("deployments", "web", { spec: { replicas: 2 } });
    expect(await ready()).toBe(2);
    expect((await member.get("services", "web"))?.status).toMatchObject({
      loadBalancer: { ingress: [{ ipMode: "VIP" }] },
    });
  });

  test("a CronJob runs by the clock and keeps its history short", async () => {
    await member.create(cronJob);
    await member.clock.advance(10 * 60_000);
    const jobs = await member.list("jobs");
    expect(jobs.map(({ status: is }) => is?.["succeeded"])).toEqual([1, 1, 1]);
    expect((await member.get("cronJobs", "tick"))?.status).toMatchObject({ lastScheduleTime: "2030-01-01T00:10:00Z" });
  });

  test("a Job with a time to live goes with its pods", async () => {
    await member.create(job);
    expect((await member.get("jobs", "work"))?.status).toMatchObject({
      succeeded: 3,
      completionTime: "2030-01-01T00:00:00Z",
    });
    await member.patch("jobs", "work", { spec: { ttlSecondsAfterFinished: 30 } });
    await member.clock.advance(60_000);
    expect([await member.get("jobs", "work"), await podNames()]).toEqual([undefined, []]);
  });
});

describe("faults", () => {
  let member: SimulatedCluster;
  beforeEach(async () => {
    member = await openSimulatedCluster();
  });
  afterEach(() => member[Symbol.asyncDispose]());
  const ready = async () => (await member.get("deployments", "web"))?.status?.["readyReplicas"] ?? 0;
  const waiting = async () =>
    (await member.list("pods")).map(({ status }) => status?.["containerStatuses"]?.[0]?.state?.waiting?.reason);

  test("an image that does not exist is never pulled, until it is replaced", async () => {
    await member.create(deployment("", "does-not-exist"));
    await member.clock.advance(5_000);
    expect(await waiting()).toEqual(Array(4).fill("ImagePullBackOff"));
    const settled = member.revision();
    await member.clock.advance(300_000);
    expect(member.revision(), "and nothing is written meanwhile").toBe(settled);
    await member.patch("deployments", "web", template("exists"));
    await member.clock.advance(5_000);
    expect(await ready()).toBe(4);
  });

  test("a rollout that gets nowhere is reported after its deadline", async () => {
    await member.create(deployment("progressDeadlineSeconds: 60", "does-not-exist"));
    await member.clock.advance(61_000);
    const conditions = (await member.get("deployments", "web"))?.status?.["conditions"];
    expect(conditions.at(-1)).toMatchObject({
      type: "Progressing",
      status: "False",
      reason: "ProgressDeadlineExceeded",
    });
  });

  test("an annotation on the Deployment befalls its pods, and its removal heals them", async () => {
    await member.create(deployment());
    await member.patch("deployments", "web", { metadata: { annotations: { [faultAnnotation]: "crash-loop" } } });
    await member.clock.advance(1_000);
    expect([await ready(), await waiting()]).toEqual([0, Array(4).fill("CrashLoopBackOff")]);
    await member.patch("deployments", "web", { metadata: { annotations: { [faultAnnotation]: null } } });
    await member.clock.advance(1_000);
    expect(await ready()).toBe(4);
  });

  test("a fault set at run time befalls what it names and is lifted again", async () => {
    await member.create(deployment());
    const { faults } = member.simulator();
    faults.set("dark", { fault: { kind: "never-ready" }, name: "web" });
    await member.clock.advance(0);
    expect(await ready()).toBe(0);
    faults.clear("dark");
    await member.clock.advance(0);
    expect(await ready()).toBe(4);
  });

  test("a node that fails loses its pods after five minutes, and takes new ones when it is back", async () => {
    await member.create(deployment());
    const { faults } = member.simulator();
    faults.failNode("m-node-1");
    await member.clock.advance(1_000);
    expect(await ready()).toBe(2);
    await member.clock.advance(310_000);
    expect(await ready(), "replaced elsewhere").toBe(4);
    faults.restoreNode("m-node-1");
    await member.clock.advance(60_000);
    expect((await member.list("pods")).length, "what it still had is gone").toBe(4);
    expect((await member.get("nodes", "m-node-1"))?.spec["taints"]).toBeUndefined();
  });
});

describe("pace", () => {
  test("pods start and stop as slowly as told", async () => {
    await using member = await openSimulatedCluster({ pace: { startMs: 2_000, stopMs: 1_000, jobMs: 0 } });
    await member.create(deployment());
    const phases = async () => (await member.list("pods")).map(({ status }) => status?.["phase"]);
    await member.clock.advance(1_900);
    expect(await phases()).toEqual(Array(4).fill("Pending"));
    await member.clock.advance(200);
    expect(await phases()).toEqual(Array(4).fill("Running"));
    await member.patch("deployments", "web", { spec: { replicas: 1 } });
    await member.clock.advance(900);
    expect(await phases()).toHaveLength(4);
    await member.clock.advance(200);
    expect(await phases()).toHaveLength(1);
  });
});

const service = `
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { type: LoadBalancer, selector: { app: web }, ports: [{ port: 80 }] }
`;
const statefulSet = `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  replicas: 3
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: c, image: postgres }] }
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
const job = `
apiVersion: batch/v1
kind: Job
metadata: { name: work }
spec:
  completions: 3
  parallelism: 2
  template: { spec: { restartPolicy: Never, containers: [{ name: c, image: busybox }] } }
`;
const others = [
  `
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec: { containers: [{ name: c, image: agent }], initContainers: [{ name: i, image: busybox }] }
`,
  `
apiVersion: v1
kind: ReplicationController
metadata: { name: rc }
spec:
  replicas: 2
  selector: { app: rc }
  template: { metadata: { labels: { app: rc } }, spec: { containers: [{ name: c, image: does-not-exist }] } }
`,
  `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web }
spec: { defaultBackend: { service: { name: web, port: { number: 80 } } } }
`,
  `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { minAvailable: 2, selector: { matchLabels: { app: web } } }
`,
  `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { maxReplicas: 9, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }
`,
  `
apiVersion: v1
kind: Pod
metadata: { name: huge }
spec: { containers: [{ name: c, image: nginx, resources: { requests: { cpu: "99" } } }] }
`,
];
const cronJob = `
apiVersion: batch/v1
kind: CronJob
metadata: { name: tick }
spec:
  schedule: "* * * * *"
  jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: busybox }] } } } }
`;
