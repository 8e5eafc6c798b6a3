import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { MisuseError, type Output } from "../command.ts";
import { paintFor } from "./paint.ts";
import { addOutputFlag, type Format, printObjects } from "./print-objects.ts";
import { tableLines } from "./table.ts";

const plain = paintFor({ isTerminal: false, env: {} });

async function printed(names: readonly string[], format?: Format): Promise<string> {
  const lines: string[] = [];
  const output: Output = { line: (text) => lines.push(text), note: () => {}, paint: plain };
  const objects = names.map((name) => ({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name } }));
  const table = () => ({
    columns: [{ name: "NAME" }, { name: "AGE", wide: true }],
    rows: names.map((name) => [name, "3d"]),
  });
  await printObjects(output, { objects, table }, format);
  return lines.join("\n");
}

describe("objects", () => {
  test("are a table when nothing is asked for", async () => expect(await printed(["a", "bb"])).toBe("NAME\na\nbb"));
  test("show more with -o wide", async () => expect(await printed(["a"], "wide")).toBe("NAME   AGE\na      3d"));
  test("are named as kubectl names them", async () =>
    expect(await printed(["a", "b"], "name")).toBe("deployment.apps/a\ndeployment.apps/b"));
  test("alone are a document, together a list", async () => {
    expect(JSON.parse(await printed(["a"], "json"))).toMatchObject({ kind: "Deployment" });
    expect(JSON.parse(await printed(["a", "b"], "json"))).toMatchObject({ kind: "List", items: [{}, {}] });
    expect(await printed(["a"], "yaml")).toBe("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a");
  });
});

test("a format that is not offered is misuse", () => {
  const command = addOutputFlag(new Command("x"), ["json", "yaml"]);
  expect(() => command.parse(["-o", "wide"], { from: "user" })).toThrow(MisuseError);
  expect(command.parse(["-o", "yaml"], { from: "user" }).opts()).toEqual({ output: "yaml" });
});

describe("tables", () => {
  const lines = (cell: string) => tableLines({ columns: [{ name: "A" }, { name: "B" }], rows: [[cell, "x"]] });
  test("count no colours", () => {
    const { red } = paintFor({ isTerminal: true, env: {} });
    expect(lines(red("abc"))).toEqual(["A     B", `${red("abc")}   x`]);
  });
  test("let no text break out of its cell", () => {
    expect(lines("a\nb\u001b[2Jc")[1]).toBe("a b [2Jc   x");
  });
});

describe("colours", () => {
  for (const [situation, needs, coloured] of [
    ["on a terminal", { isTerminal: true, env: {} }, true],
    ["in a pipe", { isTerminal: false, env: {} }, false],
    ["with NO_COLOR", { isTerminal: true, env: { NO_COLOR: "1" } }, false],
    ["with an empty NO_COLOR", { isTerminal: true, env: { NO_COLOR: "" } }, true],
    ["on a dumb terminal", { isTerminal: true, env: { TERM: "dumb" } }, false],
  ] as const)
    test(`${coloured ? "are" : "are not"} used ${situation}`, () =>
      expect(paintFor(needs).red("x") !== "x").toBe(coloured));
});
