import { expect, test } from "vitest";
import { builtinResources } from "./builtin-resources.ts";
import { findDataDirectory } from "./data-directory.ts";
import recorded from "./fixtures/tables.json" with { type: "json" };
import { loadBuiltinCatalog } from "./load-schemas.ts";

const columnsOf: Readonly<Record<string, readonly (readonly (string | number)[])[]>> = recorded;

for (const { group, version, plural, table } of builtinResources(loadBuiltinCatalog(findDataDirectory()))) {
  const path = group === "" ? `/api/${version}/${plural}` : `/apis/${group}/${version}/${plural}`;
  const expected = columnsOf[path];
  if (expected === undefined) continue;
  test(`${path} has the columns that a kube-apiserver has`, () => {
    expect(table.columns.map(({ name, type, format, priority }) => [name, type, format, priority])).toEqual(expected);
    for (const { name, description } of table.columns) expect(description, name).not.toBe("");
  });
}
