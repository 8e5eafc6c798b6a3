import { describe, expect, test } from "vitest";
import type { StatusError } from "#api/meta/status-error.ts";
import { createPatternCache } from "#schema/pattern-cache.ts";
import { openTestCluster } from "#test/world/cluster.ts";
import { evilPatterns } from "./evil-patterns.ts";
import { allowedMs, bestOf } from "./machine-speed.ts";

const length = 100_000;
const boundMs = 50;

describe(`SEC-35: ${evilPatterns.length} evil patterns on 100 KB take less than ${boundMs} ms each`, () => {
  for (const [pattern, unit] of evilPatterns) {
    test(pattern, async () => {
      const texts = [`${unit.repeat(length / unit.length)}!`, `${shuffled(unit)}!`];
      for (const text of texts) {
        const work = () => createPatternCache().matches({ type: "string", pattern }, text);
        const took = await bestOf(30, { boundMs, work });
        expect(took).toBeLessThan(allowedMs(took, boundMs));
      }
    });
  }
});

test("SEC-35: an object with such a value is refused as quickly, and the server lives", async () => {
  await using world = await openTestCluster();
  const boxes = { group: "example.com", version: "v1", resource: "boxes", kind: "Box", namespaced: false };
  const definitions = {
    ...boxes,
    group: "apiextensions.k8s.io",
    resource: "customresourcedefinitions",
    kind: "CustomResourceDefinition",
  };
  await world.client.create(definitions, definition());
  for (const [index, [, unit]] of evilPatterns.entries()) {
    const spec = { [`p${index}`]: `${unit.repeat(length / unit.length)}!` };
    const took = await bestOf(30, {
      boundMs,
      work: () =>
        world.client
          .create(boxes, { apiVersion: "example.com/v1", kind: "Box", metadata: { generateName: "evil-" }, spec })
          .catch((error: unknown) => expect((error as StatusError).code).toBe(422)),
    });
    expect(took, evilPatterns[index]![0]).toBeLessThan(allowedMs(took, boundMs));
  }
  expect((await world.client.list(boxes)).items.length).toBeLessThan(30 * evilPatterns.length);
});

/** Nothing repeats: what was learned of one part does not help with the next. */
function shuffled(unit: string): string {
  const characters = [...new Set([...unit, "a", "b"])];
  let seed = 1;
  let text = "";
  while (text.length < length) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    text += characters[(seed >> 16) % characters.length];
  }
  return text;
}

function definition() {
  const properties = Object.fromEntries(
    evilPatterns.map(([pattern], index) => [`p${index}`, { type: "string", pattern }]),
  );
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "boxes.example.com" },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural: "boxes", kind: "Box" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
        },
      ],
    },
  };
}
