import { expect, test } from "vitest";
import { actions } from "./actions.ts";
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
  const restart = "the controllers restart";
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
    const read = reads.reduce((sum, [, times]) => sum + times, 0);
    return `| ${name} | ${writes.map(listed).join(" | ")} | ${read} | ${listed(/^turns of /)} |`;
  });
  return [
    "# Counts",
    "",
    "What the controllers do for one action, from rest to rest, in a fleet of three members: calls, and turns (how often a controller looked at",
    "something). `test/counts/counts.test.ts` fails when one of these numbers changes, and when one depends on how large the fleet is;",
    "`npx vitest run test/counts -u` writes this page. Events and reports of members on themselves are not counted.",
    "",
    "| action | writes to the control plane | writes to members | reads | turns |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
