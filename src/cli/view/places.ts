import { DiscoveryReader, type ServedResource } from "#client/discovery.ts";
import type { NamespacedFlags } from "../access-flags.ts";
import type { Output } from "../command.ts";
import { connect } from "../connect.ts";
import { findResource } from "../kinds/find-resource.ts";
import { plainText } from "../print/plain-text.ts";
import { connectMembers, type Place } from "./connect-members.ts";
import type { GetRequest } from "./get.ts";

/** Where a command looks, and at what. */
export interface Places extends Disposable {
  readonly places: readonly Place[];
  readonly resource: ServedResource;
  /** Of the objects that are meant; undefined where they have none. */
  readonly namespace: string | undefined;
  /** False when a member that was asked for cannot be looked at. */
  readonly isWhole: boolean;
}

export interface PlacesNeeds {
  readonly flags: NamespacedFlags & { readonly allNamespaces?: boolean };
  readonly output: Output;
}

/** Opens the places that a request means; members that cannot be reached are named on the side. */
export async function openPlaces(request: GetRequest, { flags, output }: PlacesNeeds): Promise<Places> {
  const control = await connect(flags);
  const own: Place = { cluster: undefined, connection: control, [Symbol.dispose]: () => control[Symbol.dispose]() };
  const { scope } = request;
  const { places: members, unreached } =
    scope === "karmada" ? { places: [], unreached: [] } : await connectMembers(control, request.clusters, flags);
  for (const { cluster, why } of unreached) output.note(`cannot look at ${cluster}: ${plainText(why)}`);
  const places = scope === "members" ? members : [own, ...members];
  const dispose = () => {
    for (const place of [own, ...members]) place[Symbol.dispose]();
  };
  try {
    const resource = await resourceIn(request.kind, places.length > 0 ? places : [own]);
    const namespace = resource.namespaced && flags.allNamespaces !== true ? control.namespace : undefined;
    return { places, resource, namespace, isWhole: unreached.length === 0, [Symbol.dispose]: dispose };
  } catch (error: unknown) {
    dispose();
    throw error;
  }
}

/** The first place that knows the kind says what it is; members may serve kinds that the control plane does not. */
async function resourceIn(kind: string, places: readonly Place[]): Promise<ServedResource> {
  let failure: unknown;
  for (const { connection } of places) {
    try {
      const served = await new DiscoveryReader(connection.transport).resources(new AbortController().signal);
      return findResource(kind, served);
    } catch (error: unknown) {
      failure ??= error;
    }
  }
  throw failure;
}
