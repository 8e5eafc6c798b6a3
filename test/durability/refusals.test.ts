import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSqliteStore } from "#storage/sqlite-store.ts";
import { temporaryDirectories, testOptions } from "#storage/sqlite-variant.ts";
import { sharingCodec } from "./sharing-codec.ts";
import { buildStorePrograms, type StorePrograms } from "./store-programs.ts";

const newDirectory = temporaryDirectories();
const nobody = 65_534;
let programs: StorePrograms;
beforeAll(async () => {
  programs = await buildStorePrograms("opener");
  chmodSync(programs.directory, 0o755); // also for the test that runs as somebody else
});
afterAll(() => programs.remove());

test("SEC-51: a second process is refused with the first one's id, and let in when that is killed", async () => {
  const directory = newDirectory();
  const first = start([directory]);
  expect(await answerOf(first)).toMatchObject({ is: "open" });

  const second = await answerOf(start([directory]));
  expect(second).toEqual({
    is: "refused",
    error: `StoreFailure: cannot open the store in "${directory}": process ${first.pid} has it open`,
  });
  await expect(openSqliteStore({ ...testOptions(directory), codec: sharingCodec() })).rejects.toMatchObject({
    why: "locked",
  });

  first.kill("SIGKILL");
  await once(first, "close");
  const third = start([directory]);
  expect(await answerOf(third)).toMatchObject({ is: "open" });
  third.kill("SIGKILL");
  await once(third, "close");
});

test("within one process, too, a store is opened once at a time", async () => {
  const directory = newDirectory();
  const store = await openSqliteStore({ ...testOptions(directory), codec: sharingCodec() });
  const second = openSqliteStore({ ...testOptions(directory), codec: sharingCodec() });
  await expect(second).rejects.toMatchObject({
    why: "locked",
    message: expect.stringContaining(`process ${process.pid}`),
  });
  // The refused attempt must not have loosened the first one's lock.
  const other = await answerOf(start([directory]));
  expect(other).toMatchObject({ is: "refused" });
  await store[Symbol.asyncDispose]();
  await (await openSqliteStore({ ...testOptions(directory), codec: sharingCodec() }))[Symbol.asyncDispose]();
});

test("the directory and its files are for their owner alone", async () => {
  const directory = join(newDirectory(), "deep", "store");
  const store = await openSqliteStore({ ...testOptions(directory), codec: sharingCodec() });
  await store.create("apps/deployments/shop/web", () => "x");
  const modes = readdirSync(directory).map((name) => [
    name,
    (statSync(join(directory, name)).mode & 0o777).toString(8),
  ]);
  expect((statSync(directory).mode & 0o777).toString(8)).toBe("700");
  expect(Object.fromEntries(modes)).toEqual({ owner: "600", reserve: "600", "store.db": "600", "store.db-wal": "600" });
  await store[Symbol.asyncDispose]();
});

test("a directory that cannot be written is refused in words", async () => {
  const parent = newDirectory();
  const directory = join(parent, "store");
  await (await openSqliteStore({ ...testOptions(directory), codec: sharingCodec() }))[Symbol.asyncDispose]();
  // Root may write everywhere: then somebody else tries, whom the directory does not belong to.
  chmodSync(directory, 0o500);
  for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o400);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) openPath(parent);
  const answer = await answerOf(start([directory], isRoot ? { uid: nobody, gid: nobody } : {}));
  expect(answer).toMatchObject({
    is: "refused",
    error: expect.stringContaining(`cannot open the store in "${directory}"`),
  });
  expect(answer).toMatchObject({
    error: expect.stringContaining("cannot be written; check that its directory belongs"),
  });
});

test("a path that is a file is refused in words", async () => {
  const path = join(newDirectory(), "file");
  writeFileSync(path, "");
  await expect(openSqliteStore(testOptions(path))).rejects.toMatchObject({ name: "StoreFailure", why: "denied" });
});

test("after an error of the disk every write is refused, reads go on, and nothing acknowledged is lost", async () => {
  const directory = newDirectory();
  // A limit to the size of files makes writes fail with an error that is not "disk full", without any privilege.
  const parameters = [programs.program("opener"), directory, programs.worker.href, "100000", "2000"];
  const script = `trap '' XFSZ; ulimit -f 1024; exec "$0" "$@"`;
  const limited = spawn("sh", ["-c", script, process.execPath, ...parameters], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const answer = (await answerOf(limited)) as { acknowledged: number; error: string };
  await once(limited, "close");
  expect(answer).toMatchObject({ is: "failed", readable: answer.acknowledged });
  expect(answer.acknowledged).toBeGreaterThan(20);
  expect(answer.error).toMatch(
    /cannot write to the store in ".*": the disk under ".*store\.db" failed; check it, then start again/,
  );
  expect(answer).toMatchObject({ again: answer.error });
  expect(existsSync(join(directory, "store.db-wal"))).toBe(true); // the end of the process must not have checkpointed

  const store = await openSqliteStore({ ...testOptions(directory), codec: sharingCodec() });
  expect(store.count("apps/deployments")).toBeGreaterThanOrEqual(answer.acknowledged);
  expect(store.count("apps/deployments")).toBeLessThanOrEqual(answer.acknowledged + 1);
  await store[Symbol.asyncDispose]();
});

test("wherever a file stops growing, in the middle of a write or while opening, nothing acknowledged is lost", async () => {
  // in blocks of 512 bytes: from before the first page to beyond the first checkpoint, at no round number
  const limits = [1, 3, 17, 33, 49, 65, 97, 130, 151, 213, 277, 341, 405, 467, 530, 555, 610, 723];
  for (const blocks of limits) {
    const directory = newDirectory();
    const parameters = [programs.program("opener"), directory, programs.worker.href, "400", "1500"];
    const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`;
    const stdio = ["ignore", "pipe", "inherit"] as const;
    const limited = spawn("sh", ["-c", script, process.execPath, ...parameters], { stdio: [...stdio] });
    const answer = (await answerOf(limited)) as { is: string; acknowledged?: number; readable?: number };
    await once(limited, "close");
    expect(["failed", "refused"], `at ${blocks} blocks`).toContain(answer.is);
    const { acknowledged = 0, readable = 0 } = answer;
    expect(readable, `reads at ${blocks} blocks`).toBe(acknowledged);
    const store = await openSqliteStore({ ...testOptions(directory), codec: sharingCodec() });
    const kept = store.count("apps/deployments");
    expect([kept >= acknowledged, kept <= acknowledged + 1], `at ${blocks} blocks: ${kept} of ${acknowledged}`).toEqual(
      [true, true],
    );
    expect(store.revision).toBe(kept);
    await store[Symbol.asyncDispose]();
  }
}, 120_000);

function start([directory = ""]: readonly string[], options: { uid?: number; gid?: number } = {}): ChildProcess {
  const parameters = [programs.program("opener"), directory, programs.worker.href, "3", "10"];
  return spawn(process.execPath, parameters, { ...options, stdio: ["ignore", "pipe", "inherit"] });
}

/** The one line that an opener prints. */
async function answerOf(opener: ChildProcess): Promise<unknown> {
  if (opener.stdout === null) throw new Error("cannot read the opener's answer: it has no output");
  for await (const line of createInterface(opener.stdout)) return JSON.parse(line);
  throw new Error("the opener ended without an answer");
}

/** Lets everybody pass through a directory of ours. */
function openPath(directory: string): void {
  for (let path = directory; path.includes("flotilla-store-"); path = join(path, "..")) chmodSync(path, 0o755);
  chownSync(directory, 0, 0);
}
