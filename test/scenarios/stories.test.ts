import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, test } from "vitest";
import { parseStory } from "#test/story/parse-story.ts";
import { gatesIn, namesIn, playScenario } from "#test/story/play.ts";
import { virtualStage } from "#test/story/virtual-stage.ts";

const folder = join(import.meta.dirname, "stories");
for (const file of readdirSync(folder).filter((name) => name.endsWith(".story"))) {
  describe(basename(file, ".story"), () => {
    for (const scenario of parseStory(readFileSync(join(folder, file), "utf8"))) {
      const both = scenario.tags.has("both-scopes");
      for (const scope of both ? (["namespaced", "cluster"] as const) : (["namespaced"] as const)) {
        test(`${scenario.title}${both ? ` (${scope} policies)` : ""}`, async () => {
          const { Members = "m1, m2, m3", Gates } = scenario.settings;
          await using stage = await virtualStage(namesIn(Members), gatesIn(Gates));
          await playScenario(scenario, { stage, scope });
        });
      }
    }
  });
}
