import { managedLabel } from "#api/work/work-keys.ts";
import type { Table } from "../print/table.ts";
import type { ServerTable, TableRow } from "./read-table.ts";

/** What one place has. */
export interface PlaceTable {
  /** Undefined for the control plane. */
  readonly cluster: string | undefined;
  readonly table: ServerTable;
}

/** How the control plane is called among clusters; no member may bear the name. */
export const controlPlaneName = "flotilla";

/**
 * The tables of several places as one, each row with its cluster and, in members, whether it is ours. Columns are those of the first
 * place; others are found by their names, for members may be older or newer.
 */
export function joinTables(
  places: readonly PlaceTable[],
  { withNamespace }: { readonly withNamespace: boolean },
): Table {
  const { columns } = (places.find(({ table }) => table.rows.length > 0) ?? places[0])?.table ?? { columns: [] };
  const [first, ...others] = columns;
  return {
    columns: [
      ...(withNamespace ? [{ name: "NAMESPACE" }] : []),
      first ?? { name: "NAME" },
      { name: "CLUSTER" },
      ...others,
      { name: "ADOPTION" },
    ],
    rows: places.flatMap(({ cluster, table }) => {
      const order = columns.map(({ name }) => table.columns.findIndex((each) => each.name === name));
      return table.rows.map((row) => {
        const [name = row.name, ...cells] = order.map((at) => row.cells[at] ?? "");
        const namespace = withNamespace ? [row.namespace ?? ""] : [];
        return [...namespace, name, cluster ?? controlPlaneName, ...cells, adoption(cluster, row)];
      });
    }),
  };
}

/** Whether the object in a member is one that we keep there. */
function adoption(cluster: string | undefined, { labels }: TableRow): string {
  if (cluster === undefined) return "-";
  return labels[managedLabel] === "true" ? "Y" : "N";
}
