import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, printKey } from "#api/meta/resource-id.ts";
import { systemClock } from "#app/system.ts";
import { silentLogger } from "#base/logger.ts";
import { LiveInformer } from "#runtime/informer.ts";
import type { Output } from "../command.ts";
import { LiveLines } from "../print/live-lines.ts";
import { tableLines } from "../print/table.ts";
import type { Place } from "./connect-members.ts";
import { joinTables, type PlaceTable } from "./joined-table.ts";
import { readTable, type ServerTable, type TableRow } from "./read-table.ts";
import { type Looking, tableOf } from "./run-get.ts";

export interface WatchNeeds extends Omit<Looking, "request"> {
  readonly output: Output;
  readonly signal: AbortSignal;
  readonly wide: boolean;
  readonly withNamespace: boolean;
}

/** Shows a table and what changes in it until it is stopped: in place on a terminal, line by line elsewhere. */
export async function watchTables(request: Looking["request"], needs: WatchNeeds): Promise<void> {
  const { places, signal, output } = needs;
  const looking = { request, places, flags: needs.flags };
  const state = new Map<Place, ServerTable>();
  for (const place of places.places) state.set(place, (await tableOf(place, looking)).table);
  const live = output.terminal && new LiveLines(output.terminal);
  const everything = () => [...state].map(([{ cluster }, table]) => ({ cluster, table }));
  const draw = () => live?.show(linesOf(everything(), needs));
  if (live === undefined) for (const line of linesOf(everything(), needs)) output.line(line);
  else draw();
  const changed: Changed = (place, row, key) => {
    const before = state.get(place)!;
    const known = before.rows.find((each) => rowKey(each) === key);
    if (row !== undefined && JSON.stringify(known?.cells) === JSON.stringify(row.cells)) return;
    const table = withRow(before, row, key);
    state.set(place, table);
    if (live !== undefined) return draw();
    const shown = row ?? (known && { ...known, cells: [`${known.cells[0]} (deleted)`, ...known.cells.slice(1)] });
    if (shown === undefined) return;
    const news = linesOf([{ cluster: place.cluster, table: { ...table, rows: [shown] } }], needs);
    for (const line of news.slice(1)) output.line(line);
  };
  const isKnown = (place: Place, { metadata }: ApiObject) =>
    state.get(place)!.rows.some(({ version }) => version === metadata.resourceVersion);
  for (const place of places.places) follow(place, { ...needs, request, isKnown }, changed);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  live?.keep();
}

function linesOf(tables: readonly PlaceTable[], { wide, withNamespace }: WatchNeeds): readonly string[] {
  return tableLines(joinTables(tables, { withNamespace }), { wide });
}

function withRow({ columns, rows }: ServerTable, row: TableRow | undefined, key: string): ServerTable {
  const others = rows.filter((each) => rowKey(each) !== key);
  return {
    columns: columns.length > 0 ? columns : [{ name: "NAME", wide: false }],
    rows: row === undefined ? others : [...others, row].toSorted((a, b) => (rowKey(a) < rowKey(b) ? -1 : 1)),
  };
}

function rowKey({ namespace, name }: TableRow): string {
  return printKey(namespace === undefined ? { name } : { namespace, name });
}

interface Following extends WatchNeeds, Looking {
  readonly isKnown: (place: Place, object: ApiObject) => boolean;
}

type Changed = (place: Place, row: TableRow | undefined, key: string) => void;

/** Whatever changes is asked for again, alone, as its server shows it. */
function follow(place: Place, { places, request, flags, signal, isKnown }: Following, changed: Changed): void {
  const { resource, namespace } = places;
  const { client } = place.connection;
  const informer = new LiveInformer<ApiObject>({
    client,
    resource,
    clock: systemClock,
    log: silentLogger,
    options: {
      ...(namespace !== undefined && { namespace }),
      ...(flags.selector !== undefined && { labelSelector: flags.selector }),
      ...(request.name !== undefined && { fieldSelector: `metadata.name=${request.name}` }),
    },
  });
  informer.subscribe(({ before, after, initial }) => {
    const key = keyOf((after ?? before)!);
    if (after === undefined) return changed(place, undefined, printKey(key));
    if (initial && isKnown(place, after)) return;
    readTable(place.connection, { resource, namespace: key.namespace, name: key.name }).then(
      ({ rows: [row] }) => row && changed(place, row, printKey(key)),
      () => {}, // gone or unreachable: the stream tells
    );
  });
  informer.start(signal);
}
