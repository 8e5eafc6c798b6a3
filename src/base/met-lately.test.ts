import { expect, test } from "vitest";
import { MetLately } from "./met-lately.ts";

test("the newest are kept, and as many that were met before them", () => {
  const met = new MetLately<number, string>(10);
  for (let key = 0; key < 100; key++) met.set(key, `${key}`);
  expect(met.get(99)).toBe("99");
  expect(met.get(90)).toBe("90");
  expect(met.get(79)).toBeUndefined();
});

test("what is asked for again and again is kept however much is met beside it", () => {
  const met = new MetLately<number, string>(10);
  met.set(-1, "often");
  for (let key = 0; key < 100; key++) {
    met.set(key, `${key}`);
    if (key % 5 === 0) expect(met.get(-1)).toBe("often");
  }
});
