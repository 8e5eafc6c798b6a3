/** Patches against what Kubernetes' own code makes of them; tools/patch-fixtures writes the fixtures. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { applyStrategicMerge } from "#apiserver/patch/strategic-merge.ts";
import { parseJson } from "#base/parse-json.ts";
import { applyJsonPatch } from "#base/patch/json-patch.ts";
import { applyMergePatch } from "#base/patch/merge-patch.ts";
import { findDataDirectory } from "#builtin/data-directory.ts";
import { loadBuiltinCatalog } from "#builtin/load-schemas.ts";

type Row = [document: object, patch: unknown, result: object | null, error?: string];

function rowsOf<T>(name: string): readonly T[] {
  return parseJson(readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8")).value as readonly T[];
}

function numbered<T>(rows: readonly T[]): readonly [string, T][] {
  return rows.map((row, index) => [`case ${index}`, row]);
}

describe("JSON patch", () => {
  test.each(numbered(rowsOf<Row>("json-patches.json")))("%s", (_, [document, patch, result, error]) => {
    const patched = applyJsonPatch(document, patch);
    // Upstream finds out only when it decodes the list that has become of the object.
    if (Array.isArray(result)) expect(patched).toMatchObject({ ok: false, why: "unprocessable" });
    else if (error === undefined) expect(patched).toEqual({ ok: true, value: result });
    // Upstream wraps an error that is none.
    else expect(patched).toMatchObject({ ok: false, message: error.replace(": %!w(<nil>)", "") });
  });
});

describe("merge patch", () => {
  test.each(numbered(rowsOf<Row>("merge-patches.json")))("%s", (_, [document, patch, result]) => {
    expect(applyMergePatch(document, patch)).toEqual({ ok: true, value: result });
  });
});

describe("strategic merge", () => {
  const catalog = loadBuiltinCatalog(findDataDirectory());
  const schemaOf = (kind: string) =>
    catalog.nodes.get(catalog.resources.find((row) => kind.endsWith(` ${row.kind}`))!.schema)!;
  const rows = rowsOf<[string, ...Row]>("strategic-patches.json");
  test.each(numbered(rows))("%s", (_, [kind, document, patch, result, error]) => {
    const patched = applyStrategicMerge(document, patch, schemaOf(kind));
    if (error === undefined) expect(patched.ok && patched.value.document).toEqual(result);
    else expect(patched).toMatchObject({ ok: false, message: error });
  });
});
