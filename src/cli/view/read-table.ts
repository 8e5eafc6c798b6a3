import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { RawNumber } from "#base/json.ts";
import { requestOfCall } from "#client/request-of-call.ts";
import type { Connection } from "../connect.ts";
import { plainText } from "../print/plain-text.ts";

/** Objects as their server shows them to people. */
export interface ServerTable {
  readonly columns: readonly { readonly name: string; readonly wide: boolean }[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly namespace: string | undefined;
  readonly name: string;
  /** The resourceVersion of what is shown. */
  readonly version: string;
  readonly labels: Readonly<Record<string, string>>;
  /** One text per column, fit for a terminal. */
  readonly cells: readonly string[];
}

export interface TableRequest {
  readonly resource: ResourceId;
  readonly namespace: string | undefined;
  readonly name?: string | undefined;
  readonly selector?: string | undefined;
}

const asTable = "application/json;as=Table;g=meta.k8s.io;v=v1";
const nobody = { name: "", groups: [] };
const pageSize = 500;

/** Asks a server for a table: of one object, or of all that are meant. */
export async function readTable({ transport }: Connection, request: TableRequest): Promise<ServerTable> {
  const { resource, namespace, name, selector } = request;
  const path = { ...resource, ...(namespace !== undefined && { namespace }), ...(name !== undefined && { name }) };
  let columns: ServerTable["columns"] = [];
  const rows: TableRow[] = [];
  let next: string | undefined;
  do {
    const options = {
      ...(name === undefined && { limit: pageSize }),
      ...(selector !== undefined && { labelSelector: selector }),
      ...(next !== undefined && { continue: next }),
    };
    const call = requestOfCall({ verb: name === undefined ? "list" : "get", path, user: nobody, options });
    const answer = await transport.document(call.path, { accept: asTable });
    const table = (answer?.value ?? {}) as Fields; // a Table, or nothing of it is found
    columns = columnsOf(table);
    rows.push(...rowsOf(table));
    next = table["metadata"]?.continue || undefined;
  } while (next !== undefined);
  return { columns, rows };
}

function columnsOf(table: Fields): ServerTable["columns"] {
  const given: readonly Fields[] = table["columnDefinitions"] ?? [];
  return given.map(({ name, priority }) => ({
    name: plainText(String(name)).toUpperCase(),
    wide: Number(priority ?? 0) > 0,
  }));
}

function rowsOf(table: Fields): readonly TableRow[] {
  const given: readonly Fields[] = table["rows"] ?? [];
  return given.map(({ cells, object }) => {
    const { name, namespace, labels = {}, resourceVersion } = ((object ?? {}) as Partial<ApiObject>).metadata ?? {};
    const texts = (cells as readonly unknown[]).map(cellText);
    return { name: name ?? "", namespace, labels, version: resourceVersion ?? "", cells: texts };
  });
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "<none>";
  if (value instanceof RawNumber) return value.token;
  return plainText(typeof value === "object" ? JSON.stringify(value) : String(value));
}
