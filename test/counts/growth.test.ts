import { expect, test } from "vitest";
import type { ApiCall } from "#api/meta/api-call.ts";
import { configMap, mounting } from "#test/world/dependency-manifests.ts";
import { deployment, policy, to } from "#test/world/shop-manifests.ts";
import { CountedWorld } from "./counted-world.ts";

// A turn that looks at all of many must not be taken for each of them: that would cost the square of their number.

const many = 25;

test("many that come to need what is there already are looked at together", async () => {
  await using counted = await CountedWorld.open(0);
  const mount = (index: number) => mounting(`web-${index}`, { configMaps: ["settings"] });
  await counted.world.apply(policy("all", "{}", { spec: "propagateDeps: true" }));
  await counted.world.apply(configMap("settings"));
  await counted.world.apply(mount(0));
  await counted.world.settle();
  const { "turns of attached-binding": turns } = await counted.costOf(async (world) => {
    for (let index = 1; index <= many; index++) await world.apply(mount(index));
  });
  expect(turns).toBeLessThanOrEqual(2); // the change, and a look at what became of it
});

test("one more that needs what very many need already is written down with others, the later the more there are", async () => {
  const veryMany = 400;
  await using counted = await CountedWorld.open(0);
  const { world } = counted;
  const mount = (index: number) => mounting(`web-${index}`, { configMaps: ["settings"] });
  await world.apply(policy("all", "{}", { spec: "propagateDeps: true" }));
  await world.apply(configMap("settings"));
  for (let index = 0; index < veryMany; index++) await world.apply(mount(index));
  await world.settle();
  const { "control plane update resourcebindings": writes } = await counted.costOf(async () => {
    for (let index = veryMany; index < veryMany + 6; index++) {
      await world.apply(mount(index));
      await world.timePasses(0.3);
    }
  });
  expect(writes).toBe(1);
});

test("while there is much else to do, who needs what is there already is not written down", async () => {
  const isSlow = ({ verb, path }: ApiCall) => verb === "create" && path.resource === "works";
  await using counted = await CountedWorld.open(0, { slow: isSlow });
  const { world } = counted;
  const mount = (index: number) => mounting(`web-${index}`, { configMaps: ["settings"] });
  await world.apply(policy("all", "{}", { spec: "propagateDeps: true" }));
  await world.apply(configMap("settings"));
  await world.apply(mount(0));
  await world.settle();
  const { "control plane update resourcebindings": writes } = await counted.costOf(async () => {
    for (let second = 1; second <= 5; second++) {
      await world.apply(mount(second));
      for (let each = 0; each < 2 * many; each++) {
        await world.apply(deployment(`other-${second}-${each}`)); // each is worked on for a third of a second
        await world.timePasses(0.5 / many);
      }
    }
  });
  expect(writes).toBe(1);
});

test("copies in many members that leave are looked at together, however long each takes to be told", async () => {
  const members = Array.from({ length: many }, (_, index) => `m${index + 1}`);
  await using counted = await CountedWorld.open(0, {
    members,
    slow: ({ verb, path }) => verb === "delete" && path.resource === "works",
  });
  await counted.world.apply(policy("all", to(...members)));
  await counted.world.apply(deployment("web"));
  await counted.world.settle();
  const counts = await counted.costOf((world) => world.apply(policy("all", to("m1"))));
  expect(counts["control plane delete works"]).toBe(many - 1);
  expect(counts["turns of binding"]).toBe(1);
  expect(counts["turns of binding-status"]).toBeLessThanOrEqual(3); // works leave sixteen at a time
});

test("a policy that others take templates from is not looked at for each of them", async () => {
  await using counted = await CountedWorld.open(0, { members: ["m1"] });
  await counted.world.apply(policy("all", to("m1")));
  for (let index = 0; index < many; index++) await counted.world.apply(deployment(`web-${index}`));
  await counted.world.settle();
  const { "turns of policy": turns = 0 } = await counted.costOf((world) =>
    world.apply(policy("stronger", to("m1"), { spec: "priority: 10\n  preemption: Always" })),
  );
  expect(turns).toBeLessThanOrEqual(1);
});
