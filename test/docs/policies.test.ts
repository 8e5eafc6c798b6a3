import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gatesWith } from "#api/feature-gates.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import { RoughFleet } from "#test/world/rough-fleet.ts";
import { deployment } from "#test/world/shop-manifests.ts";
import { World } from "#test/world/world.ts";

const page = readFileSync(new URL("../../docs/policies.md", import.meta.url), "utf8");
const manifests = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml]) => yaml!);
let world: World;

beforeAll(async () => {
  world = await World.start({
    members: ["member1", "member2", "member3"],
    pipeline: { gates: gatesWith({ PropagationPolicyPreemption: true }) },
    launch: (needs) => RoughFleet.launch(needs),
  });
});
afterAll(() => world[Symbol.asyncDispose]());

test("every manifest of the page is accepted, and the whole settles", async () => {
  expect(manifests.length).toBeGreaterThanOrEqual(5);
  await world.apply(deployment("web").replaceAll("namespace: shop", "namespace: default"));
  for (const manifest of manifests) {
    expect(parseYamlDocuments(manifest)).toHaveLength(1);
    await world.apply(manifest);
    await world.settle();
  }
  expect(world.list("propagationpolicies").map(({ metadata }) => metadata.name)).toEqual([
    "urgent",
    "web",
    "with-all-it-needs",
  ]);
});
