import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { describe, expect, test } from "vitest";
import { apiVersionOf } from "#api/kind.ts";
import { ourKinds } from "#api/our-kinds.ts";
import { ResourceBindings } from "#api/work/resource-binding.ts";
import { fieldErrorMessage } from "#base/field-error.ts";
import { isJsonObject } from "#base/json.ts";
import { applyDefaults } from "#schema/default-fields.ts";
import { pruneUnknown } from "#schema/prune-fields.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { validateFields } from "#schema/validate-fields.ts";

const folder = join(import.meta.dirname, "..", "kubectl", "proposals", "fixtures");

/** What the proposals print and we do not accept, and why. */
const refused: Readonly<Record<string, string>> = {
  "003-batch-change/4-custom-cpp-bare-star.yaml": "`namespace: *` is not YAML, and a bare * is refused (ruling 10)",
};
/** Manifests of kinds that are not ours to declare: built-in ones, and one that is not built. */
const foreignKinds: readonly string[] = ["Deployment", "ConfigMap", "RolloutPolicy"];

for (const file of readdirSync(folder, { encoding: "utf8", recursive: true }).filter((each) =>
  each.endsWith(".yaml"),
)) {
  const text = readFileSync(join(folder, file), "utf8");
  if (Object.hasOwn(refused, file)) {
    test(`${file} is refused: ${refused[file]}`, () => {
      expect(() => loadAll(text)).toThrow();
    });
    continue;
  }
  const documents = (loadAll(text) as unknown[]).filter(isJsonObject);
  describe(file, () => {
    test("holds manifests", () => {
      expect(documents.length).toBeGreaterThan(0);
    });
    for (const [index, manifest] of documents.entries()) {
      const name = `${manifest["kind"] ?? "the spec of a binding"} ${index}`;
      if (foreignKinds.includes(String(manifest["kind"]))) continue;
      test(`${name} is accepted, nothing of it is dropped`, () => {
        const { node, draft } = prepare(manifest);
        expect(pruneUnknown(draft, node, { onUnknown: "drop" })).toEqual([]);
        applyDefaults(draft, node);
        expect(validateFields(draft, node).map(fieldErrorMessage)).toEqual([]);
      });
    }
  });
}

function prepare(manifest: Record<string, unknown>): { node: SchemaNode; draft: Record<string, unknown> } {
  const draft = structuredClone(manifest);
  if (draft["kind"] === undefined) return { node: ResourceBindings.namespaced.schema, draft };
  const kind = ourKinds.find(
    (candidate) => candidate.kind === draft["kind"] && apiVersionOf(candidate) === draft["apiVersion"],
  );
  if (kind === undefined) throw new Error(`cannot find the kind of ${String(draft["kind"])}`);
  return { node: kind.schema, draft };
}
