/** Bytes by action. */
export type Allocations = Readonly<Record<string, number>>;

/** What actions allocate under one major version of Node.js. */
export interface AllocationRecord {
  readonly major: number;
  readonly bytes: Allocations;
}

/** How much less and more than recorded is no news. */
interface Tolerance {
  readonly least: number;
  readonly most: number;
}

/** Runs do not differ at all: this is for changes that are worth no new record. As long as there is none, many of them do not add up to more. */
const sameMajor: Tolerance = { least: 0.97, most: 1.01 };
/** Node.js 22 and 24 differ from 20 by 2.4 %. */
const otherMajor: Tolerance = { least: 0.9, most: 1.1 };

/** What is to be on record: what is, wherever it holds; otherwise what was measured. */
export function renewed(recorded: AllocationRecord, measured: AllocationRecord): AllocationRecord {
  const isSame = recorded.major === measured.major;
  const { least, most } = isSame ? sameMajor : otherMajor;
  const holds = ([action, bytes]: readonly [string, number]) => {
    const before = recorded.bytes[action] ?? 0;
    return bytes >= before * least && bytes <= before * most;
  };
  const rows = Object.entries(measured.bytes);
  if (!isSame && !rows.every(holds)) return measured; // figures of two engines do not belong in one table
  const kept = rows.map((row) => [row[0], holds(row) ? recorded.bytes[row[0]]! : row[1]] as const);
  return { major: recorded.major, bytes: Object.fromEntries(kept) };
}

/** Growing lists and nodes of trees that are fuller or emptier made 60 KB of difference at most, and 4.8 % of what an action allocates. */
const byChance = { share: 0.05, bytes: 100_000 };

/** Actions that allocate more in a large fleet than in a small one. */
export function growing(small: Allocations, large: Allocations): readonly string[] {
  const { share, bytes } = byChance;
  return Object.entries(small)
    .filter(([action, before]) => large[action]! > before + Math.min(before * share, bytes))
    .map(([action]) => action);
}

/** Reads what `renderRecord` wrote. */
export function parseRecord(page: string): AllocationRecord {
  const rows = [...page.matchAll(/^\| (.+) \| ([\d,]+) \|$/gm)];
  return {
    major: Number(/KB under Node\.js (\d+)/.exec(page)?.[1]),
    bytes: Object.fromEntries(
      rows.map(([, action, kilobytes]) => [action!, Number(kilobytes!.replaceAll(",", "")) * 1_000]),
    ),
  };
}

/** The page docs/performance/allocations.md. */
export function renderRecord({ major, bytes }: AllocationRecord): string {
  const rows = Object.entries(bytes).map(
    ([action, each]) => `| ${action} | ${Math.round(each / 1_000).toLocaleString("en")} |`,
  );
  return [...introduction, "", `| action | KB under Node.js ${major} |`, "|---|---|", ...rows, ""].join("\n");
}

const introduction = [
  "# Allocations",
  "",
  "What every action of [counts.md](counts.md) allocates, from rest to rest, in a fleet of three members: API servers, controllers and",
  "simulated members together. `test/counts/allocations.test.ts` fails when an action allocates more than 1 % more or more than 3 % less than",
  "is written here, and when it allocates 5 % or 100 KB more in a fleet with thirty bystanders than in one with three (a restart reads",
  "everything, and may). `npx vitest run test/counts -u` writes anew the rows that do not hold, and only those: what grows little by little",
  "is told, too.",
  "",
  "The figures are what the young generation of V8's heap grew by, in a process of its own that optimizes nothing (`--no-opt`), has fixed",
  "seeds and collects nothing during an action: the same to the byte in every run, on a busy machine and on an idle one. Optimized code leaves",
  "a tenth to a quarter of the allocations out, up to 4 % more or fewer from run to run: what is optimized by when depends on time. Not",
  "counted is what goes to the old generation at once (hidden classes, names of members, code, larger tables of maps that have been there for",
  "long), nor are buffers. Summaries that members report by the clock are turned off, and the restart comes last, since what follows it builds",
  "indexes of all there is. Under another major version of Node.js an action may differ by 10 % from what is written here, either way (under",
  "22 and 24 by 2.4 %); the check of the fleet's size is the same.",
];
