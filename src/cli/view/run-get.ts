import type { ApiObject } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { HintedError } from "#base/hinted-error.ts";
import type { Output } from "../command.ts";
import { printObjects } from "../print/print-objects.ts";
import { tableLines } from "../print/table.ts";
import type { Place } from "./connect-members.ts";
import type { GetFlags, GetRequest } from "./get.ts";
import { joinTables, type PlaceTable } from "./joined-table.ts";
import { openPlaces, type Places } from "./places.ts";
import { readTable } from "./read-table.ts";

export interface GetNeeds {
  readonly flags: GetFlags;
  readonly output: Output;
}

/** Prints what was asked for. False when something could not be looked at. */
export async function runGet(request: GetRequest, { flags, output }: GetNeeds): Promise<boolean> {
  using places = await openPlaces(request, { flags, output });
  const { output: format } = flags;
  if (format === "json" || format === "yaml" || format === "name") {
    const objects = (
      await Promise.all(places.places.map((each) => readObjects(each, { request, places, flags })))
    ).flat();
    if (request.name !== undefined && objects.length === 0) throw notFound(request, places);
    await printObjects(output, { objects, table: () => ({ columns: [], rows: [] }) }, format);
    return places.isWhole;
  }
  const wide = format === "wide";
  const withNamespace = flags.allNamespaces && places.resource.namespaced;
  if (flags.watch) {
    const { watchTables } = await import("./watch-tables.ts");
    const { interruption } = await import("../interruption.ts");
    using stop = interruption();
    await watchTables(request, { places, flags, output, signal: stop.signal, wide, withNamespace });
    return places.isWhole;
  }
  const tables = await Promise.all(places.places.map((place) => tableOf(place, { request, places, flags })));
  if (tables.every(({ table }) => table.rows.length === 0)) {
    if (request.name !== undefined) throw notFound(request, places);
    output.note(
      places.namespace === undefined ? "No resources found" : `No resources found in ${places.namespace} namespace.`,
    );
    return places.isWhole;
  }
  for (const line of tableLines(joinTables(tables, { withNamespace }), { wide })) output.line(line);
  return places.isWhole;
}

export interface Looking {
  readonly request: GetRequest;
  readonly places: Places;
  readonly flags: GetFlags;
}

/** What one place has; nothing where the object or its kind is not there. */
export async function tableOf(
  { cluster, connection }: Place,
  { request, places, flags }: Looking,
): Promise<PlaceTable> {
  const { resource, namespace } = places;
  try {
    const table = await readTable(connection, { resource, namespace, name: request.name, selector: flags.selector });
    return { cluster, table };
  } catch (error: unknown) {
    if (!isNotFound(error)) throw error;
    return { cluster, table: { columns: [], rows: [] } };
  }
}

/** Where an object of a member came from, as Karmada's caches say it. */
const fromClusterAnnotation = "resource.karmada.io/cached-from-cluster";

async function readObjects({ cluster, connection }: Place, looking: Looking): Promise<readonly ApiObject[]> {
  const { request, places, flags } = looking;
  const { resource, namespace } = places;
  const { client } = connection;
  const within = namespace === undefined ? {} : { namespace };
  const { name } = request;
  const selector = flags.selector === undefined ? {} : { labelSelector: flags.selector };
  const found =
    name === undefined
      ? (await client.list(resource, { ...within, ...selector }).catch(noneWhereNotFound)).items
      : [await client.get(resource, { ...within, name })].flatMap((each) => each ?? []);
  const apiVersion = resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
  return found.map((object) => marked({ ...object, apiVersion, kind: resource.kind }, cluster));
}

function marked(object: ApiObject, cluster: string | undefined): ApiObject {
  if (cluster === undefined) return object;
  const annotations = { ...object.metadata.annotations, [fromClusterAnnotation]: cluster };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function noneWhereNotFound(error: unknown): { readonly items: readonly ApiObject[] } {
  if (isNotFound(error)) return { items: [] };
  throw error;
}

function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.code === 404;
}

/** Nobody has it. */
export function notFound({ name }: GetRequest, { resource, namespace }: Places): HintedError {
  const where = namespace === undefined ? "" : ` in namespace ${namespace}`;
  return new HintedError(
    `cannot find ${resource.resource} ${JSON.stringify(name)}${where}`,
    "-n names another namespace, --operation-scope all looks into members, too",
  );
}
