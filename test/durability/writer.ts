import { openSync, writeSync } from "node:fs";
import { openSqliteStore } from "#storage/sqlite-store.ts";
import { SqliteThreads } from "#storage/sqlite-threads.ts";
import type { Store } from "#storage/store.ts";
import type { JournalLine } from "./kill-loop-journal.ts";
import { randomFrom } from "./random.ts";
import { sharingCodec } from "./sharing-codec.ts";

/**
 * The program that the kill loop kills: eight writers that change keys of their own, a watcher that resumes where the last one
 * ended, and compactions. Everything it tries and learns goes into a journal, line by line and synchronously, so that the
 * journal knows at least as much as any client would.
 */
const [directory, worker, journalPath, seed, resumeAfter] = process.argv.slice(2);
if (directory === undefined || worker === undefined || journalPath === undefined)
  throw new Error("arguments are missing");

const prefix = "apps/deployments/";
const journal = openSync(journalPath, "a");
const note = (line: JournalLine) => writeSync(journal, `${JSON.stringify(line)}\n`);
const random = randomFrom(Number(seed));
const codec = sharingCodec();
// Small limits, so that short lives meet many checkpoints.
const limits = { reserveBytes: 64 << 10, checkpointBytes: 128 << 10 };
const store = await openSqliteStore({
  directory,
  codec,
  threads: new SqliteThreads({ limit: 1, worker: new URL(worker) }),
  ...limits,
});

dumpState(store);
resumeWatch(store);
for (let id = 0; id < 8; id++) void writeForever(store, id);

function dumpState(store: Store<string>): void {
  const list = store.list({ prefix });
  if (!list.ok) throw new Error(`cannot list: ${list.why}`);
  const entries = list.entries.map(({ key, revision, value }): [string, number, string] => [
    key,
    revision,
    nameOf(value),
  ]);
  note({ is: "opened", revision: list.revision, entries });
}

function resumeWatch(store: Store<string>): void {
  const after = Number(resumeAfter);
  const result = store.watch({
    prefix,
    after,
    deliver: ({ type, key, revision, value }) => note({ is: "event", type, key, revision, name: nameOf(value) }),
  });
  note(
    result.ok ? { is: "resumed", after, revision: store.revision } : { is: "compacted", after, oldest: result.oldest },
  );
}

async function writeForever(store: Store<string>, id: number): Promise<void> {
  for (let round = 0; ; round++) {
    const key = `${prefix}w${id}/k${Math.floor(random() * 12)}`;
    const name = `${seed}-${id}-${round}-${Math.floor(random() * 3000)}`;
    const entry = store.get(key);
    const type = entry === undefined ? "created" : random() < 0.3 ? "deleted" : "updated";
    note({ is: "tried", type, key, name });
    const result = await write(store, { type, key, expected: entry?.revision ?? 0, value: valueNamed(name) });
    if (!result.ok) throw new Error(`cannot write ${key}: ${result.why}`); // nobody else writes it
    note({ is: "acknowledged", type, key, revision: result.entry.revision, name });
    if (random() < 0.02) void store.compact(store.revision - 100);
  }
}

interface WriteCall {
  readonly type: string;
  readonly key: string;
  readonly expected: number;
  readonly value: string;
}

function write(store: Store<string>, { type, key, expected, value }: WriteCall) {
  if (type === "created") return store.create(key, () => value);
  return type === "updated" ? store.update(key, expected, () => value) : store.delete(key, expected, () => value);
}

/** A value that follows from its name, whose last part is a length: one that lost a byte on its way is noticed. */
function valueNamed(name: string): string {
  return `${name} ${"x".repeat(Number(name.slice(name.lastIndexOf("-") + 1)))}`;
}

function nameOf(value: string): string {
  const name = value.slice(0, value.indexOf(" "));
  if (valueNamed(name) !== value) throw new Error(`the value of ${name} is damaged`);
  return name;
}
