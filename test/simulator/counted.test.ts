import { expect, test } from "vitest";
import { memberResources } from "#simulator/member-resources.ts";
import { openSimulatedCluster } from "#test/world/simulated-cluster.ts";

const deployment = (name: string) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, namespace: "default" },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "c", image: "nginx" }] } },
  },
});

test("a thousand Deployments cost one status write each, no pods, and nothing afterwards", async () => {
  await using member = await openSimulatedCluster({ pods: "counted", pace: { startMs: 300, stopMs: 0, jobMs: 0 } });
  const count = 1_000;
  const before = member.revision();
  const names = Array.from({ length: count }, (_, number) => `web-${number}`);
  await Promise.all(names.map((name) => member.client.create(memberResources.deployments, deployment(name))));
  await member.clock.advance(1_000);
  await member.simulator().whenIdle();
  const healthy = (await member.list("deployments")).filter(({ status }) => status?.["availableReplicas"] === 3);
  expect(healthy).toHaveLength(count);
  expect(member.revision() - before, "a create and a status write each").toBe(2 * count);
  expect([await member.list("pods"), await member.list("replicaSets")]).toEqual([[], []]);
  const settled = member.revision();
  await member.clock.advance(3_600_000);
  await member.restart();
  expect(member.revision()).toBe(settled);
});

test("scaling and a new template cost one write each", async () => {
  await using member = await openSimulatedCluster({ pods: "counted" });
  await member.client.create(memberResources.deployments, deployment("web"));
  await member.clock.advance(0);
  const before = member.revision();
  await member.patch("deployments", "web", { spec: { replicas: 9 } });
  expect((await member.get("deployments", "web"))?.status).toMatchObject({ observedGeneration: 2, readyReplicas: 9 });
  await member.patch("deployments", "web", { spec: { template: { spec: { terminationGracePeriodSeconds: 5 } } } });
  expect((await member.get("deployments", "web"))?.status).toMatchObject({ observedGeneration: 3, updatedReplicas: 9 });
  expect(member.revision() - before, "two patches, two status writes").toBe(4);
});

test("pods that somebody creates by hand run all the same", async () => {
  await using member = await openSimulatedCluster({ pods: "counted" });
  await member.create(
    "apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: c, image: nginx }] }",
  );
  expect((await member.get("pods", "p"))?.status).toMatchObject({ phase: "Running" });
});

test("a budget counts the pods that workloads would have", async () => {
  await using member = await openSimulatedCluster({ pods: "counted" });
  await member.client.create(memberResources.deployments, deployment("web"));
  await member.create(
    "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web }\nspec: { minAvailable: 2, selector: { matchLabels: { app: web } } }",
  );
  expect((await member.get("podDisruptionBudgets", "web"))?.status).toMatchObject({
    currentHealthy: 3,
    disruptionsAllowed: 1,
  });
});
