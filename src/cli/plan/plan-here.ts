import { type LocalPlanner, openLocalPlanner } from "#app/local-planner.ts";
import { systemClock, systemRandom } from "#app/system.ts";
import { readGivenGates } from "../feature-gates.ts";
import { connectMember } from "../view/connect-members.ts";
import type { Asking } from "./ask-plan.ts";

/** A planner in this process, for servers that make no plans: over what whoever asks may read. */
export function planHere({ connection, flags, output }: Asking): Promise<LocalPlanner> {
  const { client, transport } = connection;
  return openLocalPlanner({
    client,
    transport,
    gates: readGivenGates(flags.featureGates ?? ""),
    reach: async (cluster) => (await connectMember(cluster, connection, flags)).transport,
    note: (text) => output.note(`note: ${text}`),
    clock: systemClock,
    random: systemRandom,
  });
}
