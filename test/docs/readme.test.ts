import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kubectlBinary } from "#test/kubectl/client-binaries.ts";
import { Kubectl } from "#test/kubectl/kubectl.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";

const readme = readFileSync(join(import.meta.dirname, "..", "..", "README.md"), "utf8");
let world: TestFleet;

beforeAll(async () => {
  world = await startTestFleet({ members: ["member1", "member2", "member3"] });
});
afterAll(() => world[Symbol.asyncDispose]());

test("the commands under “Try it” work as they stand", async () => {
  const kubectl = new Kubectl("v36", world.kubeconfig);
  await kubectl.run("wait", "--for=condition=Ready", "clusters", "--all", "--timeout=20s");
  const block = /## Try it\n\n```sh\n([\s\S]*?)```/.exec(readme)?.[1];
  expect(block, "the README has the block").toContain("kubectl");
  // up to the deletion in a member; what follows is looked at below
  const [before, after] = block!
    .replace(/^export KUBECONFIG=.*$/m, "")
    .split(/^(?=kubectl --context member2 .*delete)/m) as [string, string];
  await shell(before);
  await kubectl.run(
    "-n",
    "shop",
    "wait",
    "--for=jsonpath={.status.availableReplicas}=6",
    "deployment/web",
    "--timeout=20s",
  );
  expect(await shell("kubectl -n shop get deployments,resourcebindings")).toMatch(
    /deployment.apps\/web +6\/6[\s\S]*web-deployment +True +True/,
  );
  expect((await shell("kubectl --context member1 -n shop get pods --no-headers")).trim().split("\n")).toHaveLength(3);
  await shell(after);
  await kubectl.run("--context", "member2", "-n", "shop", "wait", "--for=create", "deployment/web", "--timeout=20s");
});

test("what comes before and after a change is told as the README says", async () => {
  const block = /before and after:\n\n```sh\n([\s\S]*?)```/.exec(readme)?.[1];
  const program = join(import.meta.dirname, "..", "..", "dist", "flotilla.js");
  const script = block!.replaceAll("npm run --silent flotilla --", `'${process.execPath}' '${program}'`);
  const told = await shell(`cd "$HOME"\n${script.trimEnd().replace(/ *#[^\n]*$/, "")} || [ $? = 3 ]`);
  expect(told).toContain("out member3: cluster(s) did not match the placement cluster affinity constraint");
  expect(told).toContain("└─ ResourceBinding shop/web-deployment");
  expect(told).toContain("clusters  member1:3 member2:3 → member1:6");
});

test("the first screen shows what `npm start` prints", () => {
  const screen = readme.slice(0, readme.indexOf("## Try it"));
  for (const line of [
    "npm start",
    "npm test",
    "control plane  https://127.0.0.1:6443",
    "kubeconfig     .flotilla/kubeconfig",
    "ready",
  ])
    expect(screen).toContain(line);
});

function shell(script: string): Promise<string> {
  const bin = mkdtempSync(join(tmpdir(), "flotilla-readme-"));
  symlinkSync(kubectlBinary("v36"), join(bin, "kubectl"));
  const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}`, HOME: bin, KUBECONFIG: world.kubeconfig };
  return new Promise((resolve, reject) => {
    execFile("bash", ["-euo", "pipefail", "-c", script], { env, timeout: 60_000 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${script}\n${stdout}\n${stderr}`));
    });
  });
}
