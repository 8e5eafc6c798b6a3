import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { BenchRow } from "#bench/bench-row.ts";
import { describeBar, judge, type Promised, promises } from "#bench/promises.ts";

const about = { what: "arrival", suite: "bars", row: ": arrival", unit: "s" };
const rows = (...values: readonly [string, number, BenchRow["figures"]?][]) => ({
  bars: values.map(([name, value, figures]) => ({ name, value, unit: "s", ...(figures && { figures }) })),
});

describe("a promise", () => {
  const cases: readonly [string, Partial<Promised>, readonly [string, number, BenchRow["figures"]?][], boolean][] = [
    ["of less is kept by less", { below: 3 }, [["1,000: arrival", 2.9]], true],
    ["of less is not kept by as much", { below: 3 }, [["1,000: arrival", 3]], false],
    ["of at most as much is kept by as much", { most: 3 }, [["1,000: arrival", 3]], true],
    ["of at most none is not kept by one", { most: 0 }, [["1,000: arrival", 1]], false],
    ["of at least as much is kept by as much", { least: 3 }, [["1,000: arrival", 3]], true],
    ["of at least as much is not kept by less", { least: 3 }, [["1,000: arrival", 2.9]], false],
    ["of what was not measured is not kept", { below: 3 }, [["1,000: arrival", Number.NaN]], false],
    ["of a row that is not there is not kept", { below: 3 }, [["1,000: departure", 1]], false],
    ["of a row's other figure is judged by that", { below: 3, figure: "s" }, [["1,000: arrival", 1, { s: 4 }]], false],
    [
      "of how often one is the other is judged by the quotient",
      { most: 1.5, row: "100: arrival", over: "10: arrival" },
      [
        ["100: arrival", 14],
        ["10: arrival", 10],
      ],
      true,
    ],
    [
      "of how often one is another that is not there is not kept",
      { most: 1.5, row: "100: arrival", over: "10: arrival" },
      [["100: arrival", 1]],
      false,
    ],
  ];
  test.each(cases)("%s", (_, bar, found, kept) => {
    expect(judge(rows(...found), [{ ...about, ...bar }]).map((each) => each.kept)).toEqual([kept]);
  });
});

test("bars are said in words", () => {
  expect(describeBar({ ...about, below: 3 })).toBe("below 3 s");
  expect(describeBar({ ...about, most: 2_000 })).toBe("at most 2,000 s");
  expect(describeBar({ ...about, most: 0, unit: "writes" })).toBe("no writes");
  expect(describeBar({ ...about, least: 27, unit: "a second" })).toBe("27 a second or more");
});

test("every promise has one bar and is about something that the newest report measured", () => {
  const report = JSON.parse(readFileSync("docs/performance/results.json", "utf8")) as Record<
    string,
    { rows: BenchRow[] }
  >;
  const found = Object.fromEntries(Object.entries(report).map(([name, { rows: measured }]) => [name, measured]));
  const bars = ({ below, most, least }: Promised) => [below, most, least].filter((bar) => bar !== undefined).length;
  expect(promises.filter((each) => bars(each) !== 1)).toEqual([]);
  const unmeasured = judge(found).filter(({ measured }) => measured === undefined);
  expect(unmeasured.map(({ what }) => what)).toEqual([]);
});
