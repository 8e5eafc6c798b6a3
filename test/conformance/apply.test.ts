/** Field ownership against what Kubernetes' own code makes of the same stories; tools/apply-fixtures writes them. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Draft } from "#api/meta/object-meta.ts";
import { type ApplyResult, applyPatch } from "#apiserver/apply/apply-patch.ts";
import { trackUpdate } from "#apiserver/apply/track-update.ts";
import { cloneJson } from "#base/json.ts";
import { canonicalObject } from "#builtin/canonical-form.ts";
import { findDataDirectory } from "#builtin/data-directory.ts";
import { linkSchemas } from "#builtin/link-schemas.ts";
import { loadBuiltinCatalog, loadMessageTable } from "#builtin/load-schemas.ts";
import type { SchemaNode } from "#schema/schema-node.ts";

interface Step {
  readonly verb: "update" | "apply";
  readonly manager: string;
  readonly force?: boolean;
  readonly subresource?: string;
  readonly object: Draft;
  readonly result?: Draft;
  readonly error?: { readonly message: string; readonly causes?: readonly string[] };
}

interface Story {
  readonly kind: string;
  readonly steps: readonly Step[];
}

const catalog = loadBuiltinCatalog(findDataDirectory());
const table = loadMessageTable(findDataDirectory());
const text = readFileSync(new URL("./fixtures/apply-stories.json", import.meta.url), "utf8");
const stories = JSON.parse(text) as readonly Story[];

const custom = JSON.parse(readFileSync(new URL("./fixtures/apply-custom-schema.json", import.meta.url), "utf8"));
const nodes = linkSchemas({ ...catalog.publishedSchemas, Foo: custom }, { named: {}, embedded: {} });

function schemaOf(kind: string): SchemaNode {
  return nodes.get(catalog.resources.find((resource) => resource.kind === kind)?.schema ?? kind)!;
}

/** As Kubernetes prints it: built-in kinds have a form of their own. */
function print(object: Draft): unknown {
  return object.kind === "Foo" ? object : canonicalObject(table, object);
}

function play(step: Step, state: { story: Story; live: Draft | undefined; number: number }): ApplyResult {
  const [apiVersion = "", kind = ""] = state.story.kind.split(" ");
  const facts = {
    schema: schemaOf(kind),
    manager: step.manager,
    time: `2001-01-01T00:00:${String(state.number).padStart(2, "0")}Z`,
    apiVersion,
    kind,
    zero: kind === "Foo" ? { apiVersion, kind } : canonicalObject(table, { apiVersion, kind }),
    ignored: step.subresource === undefined ? { "f:status": {} } : { "f:spec": {} },
    ...(step.subresource === undefined ? {} : { subresource: step.subresource }),
  };
  const object = cloneJson(step.object);
  if (step.verb === "apply")
    return applyPatch({ ...facts, live: state.live, applied: object, force: step.force ?? false });
  return { ok: true, object: trackUpdate({ ...facts, old: state.live, next: object }) };
}

describe("stories of updates and applies", () => {
  test.each(stories.map((story, index) => [`story ${index}: ${story.kind}`, story] as const))("%s", (_, story) => {
    let live: Draft | undefined;
    for (const [number, step] of story.steps.entries()) {
      const before = JSON.stringify(live);
      const played = play(step, { story, live, number });
      expect(JSON.stringify(live), "the live object is not changed").toBe(before);
      if (step.error !== undefined) {
        expectFailure(played, step.error);
        continue;
      }
      const object = played.ok ? { ...played.object, metadata: { ...played.object.metadata, uid: "u" } } : played;
      const printed = played.ok ? print(object as Draft) : played;
      expect({ number, object: printed }).toEqual({ number, object: step.result });
      live = step.result;
    }
  });
});

function expectFailure(played: ApplyResult, error: NonNullable<Step["error"]>): void {
  if (played.ok) expect(played).toEqual(error);
  else if (played.why === "conflict") {
    expect(played.message).toBe(error.message);
    // Upstream lists causes in the order of a Go map.
    const causes = played.conflicts.map(({ message, field }) => `${message}: ${field}`);
    expect([...causes].sort()).toEqual([...(error.causes ?? [])].sort());
  } else expect(error.message).toBe(played.message);
}
