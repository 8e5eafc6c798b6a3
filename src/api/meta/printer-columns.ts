import { RawNumber, stringifyJson } from "#base/json.ts";
import { ageSince } from "./age.ts";
import { compileJsonPath, type JsonPath } from "./json-path.ts";
import type { TableColumn, TablePrinter } from "./resource-type.ts";

/** `additionalPrinterColumns` of a CustomResourceDefinition. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

type Cell = string | number | boolean | null;

/** What every table starts with. */
const nameColumn: TableColumn = {
  name: "Name",
  type: "string",
  format: "name",
  description:
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
  priority: 0,
};

const ageColumn: PrinterColumn = {
  name: "Age",
  type: "date",
  jsonPath: ".metadata.creationTimestamp",
  description:
    "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
};

/** How kubectl shows custom resources: their name and the columns their author asked for, or their age. */
export function customTable(columns: readonly PrinterColumn[] | undefined): TablePrinter {
  const shown = columns === undefined || columns.length === 0 ? [ageColumn] : columns;
  const readers = shown.map((column) => ({ type: column.type, find: compileJsonPath(column.jsonPath) }));
  return {
    columns: [nameColumn, ...shown.map(tableColumn)],
    cells: (object, nowMs) => [object.metadata.name, ...readers.map((reader) => cellOf(reader, object, nowMs))],
  };
}

function tableColumn({ name, type, format, description, jsonPath, priority }: PrinterColumn): TableColumn {
  return {
    name,
    // the definition's own schema allows these types only
    type: type as TableColumn["type"],
    format: format ?? "",
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: priority ?? 0,
  };
}

interface Reader {
  readonly type: string;
  readonly find: JsonPath | undefined;
}

/** The first value found, if it is of the column's type. */
function cellOf({ type, find }: Reader, object: unknown, nowMs: number): Cell {
  const value = find?.(object)[0];
  if (value === undefined || (value === null && type !== "string")) return null;
  switch (type) {
    case "string":
      return typeof value === "string" ? value : value === null ? "<nil>" : stringifyJson(value);
    case "integer":
      return isNumber(value) ? Math.trunc(Number(value)) : null;
    case "number":
      return isNumber(value) ? Number(value) : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? dateCell(value, nowMs) : null;
    default:
      return null;
  }
}

function isNumber(value: unknown): value is number | RawNumber {
  return typeof value === "number" || value instanceof RawNumber;
}

function dateCell(text: string, nowMs: number): string {
  const age = ageSince(text, nowMs);
  return age === "<unknown>" && text !== "" ? "<invalid>" : age;
}
