import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderKubeconfig } from "#app/kubeconfig.ts";
import { type RemoteMember, startRemoteMember } from "#test/members/remote-member.ts";
import { startTestFleet, type TestFleet } from "#test/world/fleet.ts";
import { runInProcess } from "./in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "flotilla-access-"));
const file = join(folder, "paris.kubeconfig");
let world: TestFleet;
let paris: RemoteMember;

beforeAll(async () => {
  [world, paris] = await Promise.all([startTestFleet({ members: ["member1"] }), startRemoteMember("paris")]);
  const { url: server, pki } = paris.cluster;
  writeFileSync(file, renderKubeconfig([{ name: "paris", server, pki }]));
  const joined = await flotilla("join", "paris", "--cluster-kubeconfig", file);
  expect(joined.stderr + joined.stdout).toContain("cluster(paris) is joined successfully");
});
afterAll(async () => {
  await Promise.all([world[Symbol.asyncDispose](), paris[Symbol.asyncDispose]()]);
  rmSync(folder, { recursive: true });
});

const flotilla = (...words: string[]) => runInProcess([...words, "--kubeconfig", world.kubeconfig]);

test("a member without a context is reached by the secret of its cluster", async () => {
  const { code, stdout, stderr } = await flotilla("get", "namespaces", "-C", "paris", "-o", "name");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("namespace/kube-system");
});

test("a context that bears a member's name but leads elsewhere is not taken", async () => {
  const impostor = join(folder, "impostor.kubeconfig");
  const text = readFileSync(world.kubeconfig, "utf8").replaceAll(/\bmember1\b/g, "paris");
  writeFileSync(impostor, text);
  const names = (kubeconfig: string) =>
    runInProcess(["get", "namespaces", "-C", "paris", "-o", "json", "--kubeconfig", kubeconfig]);
  const uids = ({ stdout }: { readonly stdout: string }) =>
    (JSON.parse(stdout) as { items: { metadata: { uid: string } }[] }).items.map(({ metadata }) => metadata.uid);
  expect(uids(await names(impostor))).toEqual(uids(await names(world.kubeconfig)));
});

test("a member that cannot be looked at is named, and the others are shown", async () => {
  const gone = await runInProcess(["get", "namespaces", "-s", "members", "--kubeconfig", withoutContext("member1")]);
  expect(gone.code).toBe(1);
  expect(gone.stderr).toContain("cannot look at member1: the kubeconfig has no context for it, and it names no secret");
  expect(gone.stdout).toMatch(/kube-system +paris /);
});

function withoutContext(name: string): string {
  const path = join(folder, `without-${name}.kubeconfig`);
  writeFileSync(
    path,
    readFileSync(world.kubeconfig, "utf8").replaceAll(new RegExp(`name: ${name}\\b`, "g"), "name: other"),
  );
  return path;
}
