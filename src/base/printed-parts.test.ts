import { expect, test } from "vitest";
import { PrintedParts } from "./printed-parts.ts";

test("a part is printed once, and a long one whenever it is asked for", () => {
  const printed = new PrintedParts();
  let times = 0;
  const part = (text: string) => ({
    toJSON() {
      times++;
      return { text };
    },
  });
  const [short, long] = [part("a"), part("a".repeat(5_000))];
  for (let round = 0; round < 3; round++) {
    expect(printed.textOf(short)).toBe('{"text":"a"}');
    expect(printed.textOf(long)).toHaveLength(5_011);
  }
  expect(times).toBe(1 + 3);
});
