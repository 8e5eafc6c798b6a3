import { expect, test } from "vitest";
import { MetLately } from "./met-lately.ts";

test("the newest are kept, and as many that were met before them", () => {
  const met = new MetLately<number, string>(10);
  for (let key = 0; key < 100; key++) met.set(key, `${key}`);
  expect(met.get(99)).toBe("99");
  expect(met.get(90)).toBe("90");
  expect(met.get(79)).toBeUndefined();
});
