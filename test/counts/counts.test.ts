import { expect, test } from "vitest";
import { actions, restart } from "./actions.ts";
import { CountedWorld, type Counts } from "./counted-world.ts";

/** What every action costs in a fleet with so many bystanders. */
async function costs(bystanders: number): Promise<Readonly<Record<string, Counts>>> {
  await using counted = await CountedWorld.open(bystanders);
  const all: Record<string, Counts> = {};
  for (const [name, action] of Object.entries(actions)) all[name] = await counted.costOf(action);
  return all;
}

test("every action costs what it changes, and not more than is written down", async () => {
  await expect(render(await costs(3))).toMatchFileSnapshot("../../docs/performance/counts.md");
});

test("what an action costs does not depend on the size of the fleet; a restart looks at everything and writes nothing", async () => {
  const { [restart]: smallStart, ...small } = await costs(3);
  const { [restart]: largeStart, ...large } = await costs(30);
  expect(large).toEqual(small);
  for (const start of [smallStart, largeStart])
    expect(Object.keys(start!).filter((what) => /create|update|patch|delete/.test(what))).toEqual([]);
});

function render(all: Readonly<Record<string, Counts>>): string {
  const rows = Object.entries(all).map(([name, counts]) => {
    const listed = (pattern: RegExp) =>
      Object.entries(counts)
        .filter(([what]) => pattern.test(what))
        .map(([what, times]) => `${times} × ${what.replace(pattern, "")}`)
        .join(", ") || "–";
    const writes = [/^control plane (?=create|update|patch|delete)/, /^members (?=create|update|patch|delete)/];
    const reads = Object.entries(counts).filter(([what]) => /^(?:control plane|members) (?:get|list|watch)/.test(what));
    const sum = (some: readonly (readonly [string, number])[]) => some.reduce((all, [, times]) => all + times, 0);
    const of = (what: string) => sum(Object.entries(counts).filter(([each]) => each.startsWith(`${what} of `)));
    return `| ${name} | ${writes.map(listed).join(" | ")} | ${sum(reads)} | ${listed(/^turns of /)} | ${of("events")} | ${of("copies")} |`;
  });
  return [
    "# Counts",
    "",
    "What the controllers do for one action, from rest to rest, in a fleet of three members: calls, turns (how often a controller looked at",
    "something), events that reached the controllers, and objects that API servers copied (one for every write that they read, members' own",
    "included). `test/counts/counts.test.ts` fails when one of these numbers changes, and when one depends on how large the fleet is;",
    "`npx vitest run test/counts -u` writes this page. Events (the kind) and what members report of themselves are not counted; what an action",
    "allocates is in [allocations.md](allocations.md).",
    "",
    "| action | writes to the control plane | writes to members | reads | turns | events | copies |",
    "|---|---|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
