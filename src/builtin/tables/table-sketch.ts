import { ageSince } from "#api/meta/age.ts";
import { type LabelSelector, printLabelMap, printLabelSelector } from "#api/meta/label-selector.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { TableColumn, TablePrinter } from "#api/meta/resource-type.ts";
import type { SchemaNode } from "#schema/schema-node.ts";

/** One column, told shortly. */
export interface ColumnSketch {
  readonly name: string;
  readonly type?: TableColumn["type"];
  readonly format?: "name";
  /** Shown in wide output only. */
  readonly wide?: true;
  /** What it shows: a field of the kind whose description says it … */
  readonly field?: string;
  /** … or a sentence. */
  readonly about?: string;
}

/** What a cell of a table may hold. */
export type Cell = string | number | boolean | null;

/** A table, told shortly: one cell per column. */
export interface TableSketch {
  readonly columns: readonly ColumnSketch[];
  readonly cells: (object: Fields, nowMs: number) => readonly Cell[];
}

/** A sketch as the API server prints it; descriptions of fields come from the kind's schema. */
export function tablePrinter({ columns, cells }: TableSketch, schema: SchemaNode | undefined): TablePrinter {
  return {
    columns: columns.map(({ name, type = "string", format = "", wide, field, about }) => ({
      name,
      type,
      format,
      description: about ?? descriptionAt(schema, field ?? ""),
      priority: wide === true ? 1 : 0,
    })),
    cells: (object: ApiObject, nowMs) => cells(object, nowMs),
  };
}

function descriptionAt(schema: SchemaNode | undefined, path: string): string {
  let node = schema;
  for (const name of path.split(".")) node = (node?.items ?? node)?.properties?.[name];
  return node?.description ?? "";
}

/** The column that nearly every table starts with. */
export const name: ColumnSketch = { name: "Name", format: "name", field: "metadata.name" };
/** How long ago the object was created. */
export const age: ColumnSketch = { name: "Age", field: "metadata.creationTimestamp" };
/** When the object was created, for kinds without a table of their own. */
export const createdAt: ColumnSketch = {
  name: "Created At",
  type: "date",
  about: "When the object was created, by the clock of the server.",
};

/** The wide columns of everything that has a pod template. */
export const templateColumns: readonly ColumnSketch[] = [
  { name: "Containers", wide: true, about: "Names of each container in the template." },
  { name: "Images", wide: true, about: "Images referenced by each container in the template." },
];

/** The cells of these columns. */
export function templateCells(template: Fields | undefined): readonly [string, string] {
  const containers: readonly Fields[] = template?.spec?.containers ?? [];
  return [
    containers.map((container) => container.name).join(","),
    containers.map((container) => container.image ?? "").join(","),
  ];
}

/** The age of an object. */
export function ageOf({ metadata }: Fields, nowMs: number): string {
  return ageSince(metadata.creationTimestamp, nowMs);
}

/** Labels as text, `<none>` where there are none. */
export function labelText(labels: Readonly<Record<string, string>> | undefined | null): string {
  return printLabelMap(labels ?? {}) || "<none>";
}

/** A selector as text, `<none>` where it selects by nothing. */
export function selectorText(selector: LabelSelector | undefined | null): string {
  return (selector == null ? "" : printLabelSelector(selector)) || "<none>";
}

/** The first few of a list, and how many more there are. */
export function firstFew(list: readonly string[], { most, none }: { most: number; none: string }): string {
  const shown = list.slice(0, most).join(",");
  if (list.length > most) return `${shown} + ${list.length - most} more...`;
  return shown || none;
}
