import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { JournalChecker, type JournalLine } from "./kill-loop-journal.ts";
import { randomFrom } from "./random.ts";
import { buildStorePrograms, type StorePrograms } from "./store-programs.ts";

const cycles = Number(process.env["FLOTILLA_KILL_CYCLES"] ?? 200);
const seed = Number(process.env["FLOTILLA_KILL_SEED"] ?? Date.now() % 1_000_000);

let programs: StorePrograms;
beforeAll(async () => {
  programs = await buildStorePrograms("writer");
});
afterAll(() => programs.remove());

test(
  `nothing acknowledged is lost in ${cycles} kills at any moment (seed ${seed})`,
  async () => {
    const halves = await Promise.all([0, 1].map((half) => killLoop(half, Math.ceil(cycles / 4) * 2)));
    for (const { violations, counts } of halves) {
      expect(violations.slice(0, 10)).toEqual([]);
      // A loop that opened nothing and wrote nothing would prove nothing.
      expect(counts.opened).toBeGreaterThan(cycles / 4);
      expect(counts.acknowledged).toBeGreaterThan(cycles);
    }
    console.log(`kill loop: ${JSON.stringify(halves.map(({ counts }) => counts))}`);
  },
  60_000 + cycles * 1_000,
);

/** Lives and deaths of one store; two of these run side by side, one per core. */
async function killLoop(half: number, lives: number): Promise<JournalChecker> {
  const random = randomFrom(seed * 2 + half);
  const checker = new JournalChecker();
  for (let life = 0; life <= lives && checker.violations.length === 0; life++) {
    const journal = join(programs.directory, `journal-${half}-${life}`);
    const writer = startWriter({ half, journal, life, after: checker.lastEvent });
    try {
      // Every other one may die while it starts; the rest, and the last, live until they have told what they found.
      if (life % 2 === 0) await hasResumed(writer, journal);
      await sleep(20 + random() * 180);
    } finally {
      writer.kill("SIGKILL");
      await once(writer, "close");
    }
    for (const line of linesOf(journal)) checker.take(line);
    rmSync(journal, { force: true });
  }
  return checker;
}

function startWriter(options: { half: number; journal: string; life: number; after: number }): ChildProcess {
  const { half, journal, life, after } = options;
  const directory = join(programs.directory, `store-${half}`);
  const name = String(seed * 100_000 + half * 50_000 + life);
  const parameters = [directory, programs.worker.href, journal, name, String(after)];
  return spawn(process.execPath, [programs.program("writer"), ...parameters], {
    stdio: ["ignore", "inherit", "inherit"],
  });
}

async function hasResumed(writer: ChildProcess, journal: string): Promise<void> {
  while (!linesOf(journal).some((line) => line.is === "resumed")) {
    if (writer.exitCode !== null) throw new Error(`the writer ended with code ${writer.exitCode}`);
    await sleep(5);
  }
}

/** The whole lines of a journal: a kill may cut the last one short. */
function linesOf(journal: string): readonly JournalLine[] {
  if (!existsSync(journal)) return []; // killed before it wrote the first line
  const lines = readFileSync(journal, "utf8").split("\n").slice(0, -1);
  // The writer notes nothing else.
  return lines.map((line) => JSON.parse(line) as JournalLine);
}
