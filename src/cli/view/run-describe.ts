import type { ApiObject } from "#api/meta/object-meta.ts";
import type { NamespacedFlags } from "../access-flags.ts";
import type { Output } from "../command.ts";
import type { Place } from "./connect-members.ts";
import { descriptionLines } from "./description.ts";
import type { GetRequest } from "./get.ts";
import { controlPlaneName } from "./joined-table.ts";
import { openPlaces } from "./places.ts";
import { notFound } from "./run-get.ts";

export interface DescribeNeeds {
  readonly flags: NamespacedFlags;
  readonly output: Output;
}

const events = { group: "", version: "v1", resource: "events", kind: "Event", namespaced: true };

/** Describes an object in every place that has it. False when a place could not be looked at. */
export async function runDescribe(
  request: GetRequest & { readonly name: string },
  { flags, output }: DescribeNeeds,
): Promise<boolean> {
  using places = await openPlaces(request, { flags, output });
  const { resource, namespace } = places;
  const found = await Promise.all(
    places.places.map(async (place) => {
      const key = { name: request.name, ...(namespace !== undefined && { namespace }) };
      const object = await place.connection.client.get(resource, key);
      return object === undefined ? undefined : { place, object, events: await eventsOf(place, object) };
    }),
  );
  const present = found.flatMap((each) => each ?? []);
  if (present.length === 0) throw notFound(request, places);
  present.forEach(({ place, object, events: about }, at) => {
    if (at > 0) output.line("");
    const named = { ...object, kind: resource.kind };
    const cluster = place.cluster ?? controlPlaneName;
    for (const line of descriptionLines(named, { cluster, events: about, paint: output.paint })) output.line(line);
  });
  return places.isWhole;
}

async function eventsOf({ connection }: Place, { metadata }: ApiObject): Promise<readonly ApiObject[]> {
  const { namespace = "default", uid } = metadata;
  const { items } = await connection.client.list(events, { namespace, fieldSelector: `involvedObject.uid=${uid}` });
  return items;
}
