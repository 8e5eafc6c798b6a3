import { StatusError } from "#api/meta/status-error.ts";
import type { PlanReport } from "#api/plan/plan-report.ts";
import { planPatience, plans } from "#api/plan/plan-resources.ts";
import { until } from "../fleet-state.ts";
import { clusters } from "./fleet-view.ts";
import { policyOf, updateDeployments } from "./load.ts";
import type { MeasuredFleet } from "./measured-fleet.ts";
import { processFigures, usedBetween } from "./process-figures.ts";
import { countRequests, requestsBetween } from "./request-counts.ts";
import { type Change, everywhere, to, totalOf, untilArrived } from "./scenario.ts";

const rounds = 3;
const idleSeconds = 60;
/**
 * What changes leave behind is not idleness: events are written after what they tell of, the engine gives memory back 100 s after it last collected,
 * and stores sweep away history when it is five minutes old, looking every half minute. What that takes is part of `CPU s`.
 */
const restSeconds = 360;
/** Nobody listens there. */
const nowhere = "https://127.0.0.1:1";

/** What would happen if the policy meant one member alone: asked, not done. */
export const plan: Change = {
  title: "plan of a policy edit that moves all",
  ask: async ({ load, members, fleet }) => {
    const manifest = policyOf(load.namespaces[0]!, to(members.slice(0, 1)));
    const times: number[] = [];
    let templates = 0;
    for (let round = 0; round < rounds; round++) {
      const started = performance.now();
      const report = await (fleet.surroundings.plan?.(manifest) ?? askPlan(fleet, manifest));
      templates = report.totals.templates;
      times.push((performance.now() - started) / 1_000);
    }
    const value = times.toSorted((a, b) => a - b)[rounds >> 1]!;
    return { value, unit: "s", figures: { "templates in the plan": templates } };
  },
};

async function askPlan({ controlPlane }: MeasuredFleet, manifest: object): Promise<PlanReport> {
  const { group, version, resource, kind } = plans;
  const spec = { edits: [{ do: "apply", manifest }], fieldManager: "bench", serverSide: true };
  const body = { apiVersion: `${group}/${version}`, kind, spec };
  const call = { verb: "create", path: { group, version, resource }, options: planPatience, body } as const;
  try {
    const answer = await controlPlane.transport.call({ ...call, user: { name: "", groups: [] } });
    const document: unknown = answer.kind === "document" ? answer.document : answer.kind === "object" && answer.object;
    return (document as { readonly status: PlanReport }).status; // as the server makes it
  } catch (error: unknown) {
    if (error instanceof StatusError && error.code === 404) throw new Error("this control plane answers no plans");
    throw error;
  }
}

/** Nothing is asked: what goes on nevertheless. */
export const idle: Change = {
  title: `idle for ${idleSeconds} s`,
  concerns: () => 1,
  refusal: ({ surroundings }) =>
    surroundings.pids().length === 0 ? "whose time would count? name processes by --pids" : undefined,
  ask: async ({ fleet }) => {
    const all = [fleet.controlPlane, ...fleet.members];
    await new Promise((resolve) => setTimeout(resolve, restSeconds * 1_000));
    const [requests, used] = [await countRequests(all), processFigures(fleet.surroundings.pids())];
    await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000));
    const { cpuSeconds } = usedBetween(used, processFigures(fleet.surroundings.pids()));
    const after = await countRequests(all);
    const counted = requests && after && { writes: requestsBetween(requests, after).writes };
    return { value: (cpuSeconds * 100) / idleSeconds, unit: "% of a core", ...(counted && { figures: counted }) };
  },
};

/** A member cannot be reached any more, misses an update of everything, and comes back: what that takes from then on. */
export const flap: Change = {
  title: "a member comes back after it missed an update of all",
  ask: async (stage) => {
    const { client, view, members, load } = stage;
    const [lost = "", ...others] = [...members].reverse();
    const cluster = (await client.get(clusters, { name: lost })) as { spec: { apiEndpoint: string } } | undefined;
    const pointTo = (apiEndpoint: string) =>
      client.patch(clusters, { name: lost }, { type: "merge", patch: { spec: { apiEndpoint } } });
    const gone = performance.now();
    await pointTo(nowhere);
    await until(() => !view.isReady(lost), 600_000);
    const noticed = (performance.now() - gone) / 1_000;
    await updateDeployments(client, load, "nginx:3");
    await untilArrived(stage, () => others.every((member) => view.copies(load, member, "nginx:3") === totalOf(load)));
    const back = performance.now();
    await pointTo(cluster!.spec.apiEndpoint); // it was joined
    await untilArrived(stage, () => everywhere(stage, "nginx:3") && view.isReady(lost));
    return { value: (performance.now() - back) / 1_000, unit: "s", figures: { "s until noticed": noticed } };
  },
};

/** The processes end and start anew over what they left. */
export const restart: Change = {
  title: "restart until ready",
  concerns: () => 1,
  refusal: ({ surroundings }) =>
    surroundings.restart === undefined ? "its processes were started by somebody else" : undefined,
  ask: async ({ fleet: { surroundings } }) => {
    const restarted = await surroundings.restart?.();
    return (
      restarted && { value: restarted.seconds, unit: "s", ...(restarted.figures && { figures: restarted.figures }) }
    );
  },
};
