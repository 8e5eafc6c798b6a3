import { transform } from "esbuild";
import fc from "fast-check";
import { expect, test } from "vitest";
import { loweredSpreads, withCheapSpreads } from "../../tools/cheap-spreads.mjs";

const source = `
  export const one = (a) => ({ ...a });
  export const added = (a, b) => ({ ...a, x: b, "y-z": b });
  export const between = (a, b) => ({ x: 1, ...a, ...b, y: 2 });
  export const rest = ({ x, ...others }) => others;
`;

type Made = Record<"one" | "added" | "between" | "rest", (...given: unknown[]) => object>;

async function modules(): Promise<{ readonly written: Made; readonly built: Made; readonly text: string }> {
  const load = (text: string) => import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`);
  const { code } = await transform(source, { supported: loweredSpreads, format: "esm" });
  const text = withCheapSpreads(code);
  return { written: (await load(source)) as Made, built: (await load(text)) as Made, text };
}

const word = fc.constantFrom("x", "y", "y-z", "a", "__proto__", "constructor", "0");
const members = fc
  .array(fc.tuple(word, fc.oneof(fc.integer(), fc.constant(null), fc.constant({ deep: 1 }))), { maxLength: 5 })
  .map((entries) => {
    const object = {};
    for (const [key, value] of entries)
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
    return object;
  });
const symbol = Symbol("s");
const spreadable = fc.oneof(
  { weight: 5, arbitrary: members },
  members.map((object) => Object.assign(object, { [symbol]: 1 })),
  fc.constantFrom<unknown>(undefined, null, false, "text", [1, 2], 7),
);

function shownOf(object: object): unknown {
  return [
    Object.getPrototypeOf(object),
    Reflect.ownKeys(object).map((key) => [key, Reflect.getOwnPropertyDescriptor(object, key)]),
  ];
}

test("a spread of the bundle makes what the language says that it makes", async () => {
  const { written, built, text } = await modules();
  expect(text).not.toContain("__getOwnPropDescs(b)");
  fc.assert(
    fc.property(spreadable, spreadable, (a, b) => {
      for (const name of ["one", "added", "between"] as const)
        expect(shownOf(built[name](a, b))).toEqual(shownOf(written[name](a, b)));
      if (typeof a === "object" && a !== null) expect(shownOf(built.rest(a))).toEqual(shownOf(written.rest(a)));
    }),
  );
});

test("every line of a bundle stays where its source map says", async () => {
  const { code } = await transform(source, { supported: loweredSpreads, format: "esm" });
  expect(withCheapSpreads(code).split("\n").length).toBe(code.split("\n").length);
});

test("a bundle without spreads stays as it is; helpers of another form are refused", () => {
  expect(withCheapSpreads("var a = 1;\n")).toBe("var a = 1;\n");
  expect(() => withCheapSpreads("var __spreadValues = somethingElse;\n")).toThrow("cannot replace __spreadValues");
});
