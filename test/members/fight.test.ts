import { expect, test } from "vitest";
import { World } from "#test/world/world.ts";

const web = "deployments/default/web";
const manifests = `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: all, namespace: default }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment }]
  placement: {}
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default, labels: { app: web } }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "nginx:1" }] }
`;

test("SEC-19: a member that undoes every repair gets ever fewer of them, and an edit by the user goes out at once", async () => {
  await using world = await World.start({ members: ["m1", "m2"] });
  await world.apply(manifests);
  await world.settle();
  const replicas = (member: string): unknown => world.member(member).get(web)?.["spec"].replicas;
  const repairsWithin = async (steps: number) => {
    let repairs = 0;
    for (let step = 0; step < steps; step++) {
      if (replicas("m1") !== 1) {
        repairs++;
        await world.member("m1").patch(web, { spec: { replicas: 1 } });
      }
      await world.timePasses(30);
    }
    return repairs;
  };
  expect(await repairsWithin(20)).toBeGreaterThan(5); // ten minutes to get to know it
  expect(await repairsWithin(120)).toBeLessThanOrEqual(20); // an hour
  await world.patch(web, { spec: { replicas: 4 } });
  await world.settle();
  expect([replicas("m1"), replicas("m2")]).toEqual([4, 4]);
}, 120_000);
