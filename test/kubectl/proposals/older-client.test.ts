import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Kubectl } from "#test/kubectl/kubectl.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { fixturesOf, manifestFiles, proposals } from "./blocks.ts";

/** The stories are played with the newest kubectl; the oldest that we try must read and send the same files, and be told the same. */
let world: TestFleet;
let kubectl: Kubectl;
beforeAll(async () => {
  world = await startTestFleet({ members: ["member1"] });
  kubectl = new Kubectl("v32", world.kubeconfig);
});
afterAll(() => world[Symbol.asyncDispose]());

const noSuchKind = /no matches for kind "RolloutPolicy" in version "policy.karmada.io\/v1alpha1"/;
const refused: Readonly<Record<string, RegExp>> = {
  "4-custom-cpp-bare-star.yaml": /did not find expected alphabetic or numeric character/,
  "10-rollout-policy-everywhere.yaml": noSuchKind,
  "12-rollout-policy-member2-and-member3.yaml": noSuchKind,
  "13-rollout-policy-member3.yaml": noSuchKind,
};

describe.each(proposals)("kubectl v32 and the manifests of %s", (proposal) => {
  const files = manifestFiles(proposal);
  const path = (file: string) => join(fixturesOf(proposal), file);

  test("what can be applied is", async () => {
    const accepted = files.filter((file) => !Object.hasOwn(refused, file));
    const said = await kubectl.run("apply", "--dry-run=server", ...accepted.flatMap((file) => ["-f", path(file)]));
    const lines = said.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThanOrEqual(accepted.length);
    expect(lines.filter((line) => !line.endsWith(" created (server dry run)"))).toEqual([]);
  });

  test.each(files.filter((file) => Object.hasOwn(refused, file)))("%s is refused", async (file) => {
    expect(await kubectl.fails("apply", "-f", path(file))).toMatch(refused[file]!);
  });
});
