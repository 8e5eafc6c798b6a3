import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseStory } from "#test/story/parse-story.ts";
import { gatesIn, namesIn, playScenario } from "#test/story/play.ts";
import type { PolicyScope } from "#test/story/policy-sketch.ts";
import { kubeStage } from "./kube-stage.ts";
import { KubeTheatre } from "./kube-theatre.ts";

const members = ["m1", "m2", "m3"];
/** Why a story is played under a virtual clock alone. */
const tags = ["virtual-clock", "faults", "made-pods"];
const folder = join(import.meta.dirname, "..", "scenarios", "stories");
const stories = readdirSync(folder)
  .filter((name) => name.endsWith(".story"))
  .map((file) => ({
    title: basename(file, ".story"),
    scenarios: parseStory(readFileSync(join(folder, file), "utf8")),
  }));
const all = stories.flatMap(({ scenarios }) => scenarios);
const isPlayable = ({ tags: own }: (typeof all)[number]) => !tags.some((tag) => own.has(tag));

/** Where a story is told for both scopes, they take turns; FLOTILLA_SCOPES=both plays both. */
function scopesOf(scenario: (typeof all)[number]): readonly PolicyScope[] {
  if (process.env["FLOTILLA_SCOPES"] === "both") return ["namespaced", "cluster"];
  return [all.indexOf(scenario) % 2 === 0 ? "namespaced" : "cluster"];
}

let theatre: KubeTheatre;
beforeAll(async () => {
  theatre = await KubeTheatre.open({ members });
});
afterAll(() => theatre?.[Symbol.asyncDispose]());

const playable = all.filter(isPlayable).length;
test(`four of five stories are played on real API servers, too: ${playable} of ${all.length}`, () => {
  expect(playable / all.length).toBeGreaterThanOrEqual(0.8);
});

for (const { title, scenarios } of stories) {
  describe(title, () => {
    for (const scenario of scenarios.filter(isPlayable)) {
      const both = scenario.tags.has("both-scopes");
      for (const scope of both ? scopesOf(scenario) : (["namespaced"] as const)) {
        test(`${scenario.title}${both ? ` (${scope} policies)` : ""}`, async () => {
          const { Members = members.join(", "), Gates } = scenario.settings;
          expect(namesIn(Members), "members that the theatre has").toEqual(members);
          await using stage = await kubeStage(theatre, gatesIn(Gates));
          await playScenario(scenario, { stage, scope });
        });
      }
    }
  });
}
