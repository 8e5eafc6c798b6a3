import { expect, test } from "vitest";
import { labelErrors } from "#api/meta/label-selector.ts";
import { annotationErrors } from "#api/meta/metadata-rules.ts";
import { nameErrors } from "#api/meta/names.ts";
import type { ApiObject, Draft, Fields } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { type FieldError, fieldErrorBody, invalid } from "#base/field-error.ts";
import { cloneJson } from "#base/json.ts";
import { applyDefaults, dropUnwantedNulls } from "#schema/default-fields.ts";
import { builtinResources } from "./builtin-resources.ts";
import { findDataDirectory } from "./data-directory.ts";
import creates from "./fixtures/kubernetes-creates.json" with { type: "json" };
import tables from "./fixtures/kubernetes-tables.json" with { type: "json" };
import updates from "./fixtures/kubernetes-updates.json" with { type: "json" };
import { loadBuiltinCatalog } from "./load-schemas.ts";

/** What Kubernetes made of the same objects: the words and values that clients see must be its own. */

interface Answer {
  readonly name: string;
  readonly object: Fields;
  readonly old?: Fields;
  readonly result?: Fields;
  readonly causes?: readonly string[];
  readonly cells?: readonly unknown[];
}

const types = new Map(
  builtinResources(loadBuiltinCatalog(findDataDirectory())).map((type) => [
    `${type.group === "" ? "" : `${type.group}/`}${type.version}/${type.kind}`,
    type,
  ]),
);
const askedMs = Date.parse("2026-11-15T10:00:00Z");

/** An object on its way through the steps of the API server that belong to its kind. */
function defaulted(object: Fields): { type: ResourceType; draft: Draft } {
  const type = types.get(`${object.apiVersion}/${object.kind}`)!;
  const draft = cloneJson(object) as Draft;
  dropUnwantedNulls(draft, type.schema);
  applyDefaults(draft, type.schema);
  type.strategy.applyDefaults?.(draft);
  return { type, draft };
}

function metadataErrors(type: ResourceType, { metadata }: Fields): FieldError[] {
  return [
    ...nameErrors(metadata.name, type.strategy.nameRule).map((message) =>
      invalid("metadata.name", metadata.name, message),
    ),
    ...labelErrors(metadata.labels, "metadata.labels"),
    ...annotationErrors(metadata.annotations, "metadata.annotations"),
  ];
}

function creationErrors(type: ResourceType, draft: Draft): readonly FieldError[] {
  const object = draft as unknown as ApiObject;
  const { validate, validateFirst, validateNew } = type.strategy;
  const first = validateFirst?.(object) ?? [];
  if (first.length > 0) return first;
  return [...metadataErrors(type, draft), ...(validate?.(object) ?? []), ...(validateNew?.(object) ?? [])];
}

/** The functions that were asked made each step of its own: a claim's phase appears when it is read back, and a job shares its labels with its pods. */
function asServed(kind: string, result: Fields): Fields {
  if (kind === "PersistentVolumeClaim") return { ...result, status: { phase: "Pending" } };
  if (kind !== "Job" || result["metadata"].labels === undefined) return result;
  return { ...result, metadata: { ...result["metadata"], labels: result["spec"].template.metadata.labels } };
}

function lines(errors: readonly FieldError[]): string[] {
  return comparable(errors.map((error) => `${error.path}: ${fieldErrorBody(error)}`));
}

/** Without what is Go's own: whole structs, shown with Go's names, and differences between structs. */
function comparable(messages: readonly string[]): string[] {
  const plain = messages.map((message) => message.split("\n")[0]!.replace(/( value: )[{[].*[}\]](?=: )/, "$1<struct>"));
  return [...new Set(plain)].toSorted();
}

for (const { name, object, result, causes = [] } of creates.answers as readonly Answer[]) {
  test(`creating ${name}`, () => {
    const { type, draft } = defaulted(object);
    draft.metadata = { ...draft.metadata, uid: "UID", creationTimestamp: "NOW" };
    type.strategy.prepareForCreate?.(draft);
    expect(lines(creationErrors(type, draft))).toEqual(comparable(causes));
    if (result === undefined) return;
    if (type.strategy.generation === "spec") draft.metadata.generation = 1;
    expect(draft).toEqual(asServed(draft.kind, result));
  });
}

for (const { name, object, old, causes = [] } of updates.answers as readonly Answer[]) {
  test(`updating to ${name}`, () => {
    const before = defaulted(old!);
    const { type, draft } = defaulted(object);
    const current = before.draft as unknown as ApiObject;
    type.strategy.prepareForUpdate?.(draft, current);
    const next = draft as unknown as ApiObject;
    const errors = [
      ...(type.strategy.validate?.(next) ?? []),
      ...(type.strategy.validateUpdate?.(next, current) ?? []),
    ];
    expect(lines(errors)).toEqual(comparable(causes));
  });
}

for (const { name, object, cells } of tables.answers as readonly Answer[]) {
  test(`the row of ${name}`, () => {
    const { type, draft } = defaulted(object);
    const row = type.table.cells(draft as unknown as ApiObject, askedMs);
    expect(row).toEqual(cells);
    expect(row).toHaveLength(type.table.columns.length);
  });
}
