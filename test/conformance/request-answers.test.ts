import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusalOf, saysTheSame } from "#test/compare/compare-refusals.ts";
import { type AnsweredRequest, installOn } from "#test/compare/compare-requests.ts";
import { customSamples } from "#test/compare/custom-samples.ts";
import { requestAreas } from "#test/compare/request-areas.ts";
import { builtinSamples } from "#test/compare/sample-objects.ts";
import { type OurServer, send, startOurServer } from "#test/compare/two-servers.ts";

const questions = ["request-answers", "rule-answers", "form-answers"].flatMap((name): readonly AnsweredRequest[] =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), "utf8")),
);

describe("a real kube-apiserver's refusals of random requests are ours", () => {
  let world: OurServer;
  beforeAll(async () => {
    world = await startOurServer();
    await installOn(world.server);
    const samples = [...builtinSamples(fileURLToPath(new URL("../..", import.meta.url))), ...customSamples()];
    for (const { collection, object } of samples) {
      await send(world.server, { method: "POST", path: collection, body: JSON.stringify(object) });
    }
  });
  afterAll(() => world[Symbol.asyncDispose]());

  for (const area of requestAreas) {
    const chosen = questions.filter((question) => question.area === area);
    test(`${area}: ${chosen.length} of them`, async () => {
      expect(chosen.length).toBeGreaterThan(20);
      for (const question of chosen) {
        const ours = refusalOf(await send(world.server, question), question);
        if (!saysTheSame(ours, question.answer))
          expect({ question, ours }).toEqual({ question, ours: question.answer });
      }
    });
  }
});
