import { setMaxListeners } from "node:events";
import { type FeatureGates, gatesWith } from "#api/feature-gates.ts";
import type { UserInfo } from "#api/meta/api-call.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Explanation } from "#api/plan/explanation.ts";
import type { PlanReport } from "#api/plan/plan-report.ts";
import type { ExplanationSpec } from "#api/plan/plan-resources.ts";
import type { Clock } from "#base/clock.ts";
import { possibleFailure } from "#base/failure.ts";
import { HintedError } from "#base/hinted-error.ts";
import { silentLogger } from "#base/logger.ts";
import { silentMetrics } from "#base/metrics.ts";
import type { Random } from "#base/random.ts";
import type { Client } from "#client/client.ts";
import { DiscoveryReader, type ServedResource } from "#client/discovery.ts";
import type { HttpTransport } from "#client/http-transport.ts";
import { listingClient } from "#client/listing-client.ts";
import { ContentHashes } from "#controllers/execution/hashed-manifest.ts";
import { LuaHost } from "#lua/lua-host.ts";
import { reportOf } from "#plan/report.ts";
import { preferredOf } from "./discovered-resources.ts";
import { memberManager } from "./embedded-connector.ts";
import { embeddedPlanner, explainNamed, type PlanRequest } from "./embedded-planner.ts";
import { explainTemplate } from "./explain-template.ts";
import { followDependents } from "./follow-dependents.ts";
import { listedWritePath } from "./listed-write-path.ts";
import { type LocalFleetNeeds, lookAtMembers, type SeenMember } from "./local-fleet.ts";
import { defaultPipelineOptions } from "./pipeline.ts";
import { openCaches } from "./pipeline-caches.ts";
import { type PlannerNeeds, planEdits } from "./planner.ts";
import { type PublishedSettings, readPublishedSettings } from "./published-settings.ts";

export interface LocalPlannerNeeds extends Pick<LocalFleetNeeds, "reach" | "note"> {
  readonly client: Client;
  readonly transport: HttpTransport;
  /** Gates of the running controllers, where whoever asks knows better than what these have published. */
  readonly gates: Partial<FeatureGates>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Plans and explains in this process, over what could be read of a fleet at one moment. */
export interface LocalPlanner extends AsyncDisposable {
  plan(request: Omit<PlanRequest, "user">): Promise<PlanReport>;
  explain(what: ExplanationSpec): Explanation;
}

/** Whoever may write is not asked: nothing is written. */
const everyRight: UserInfo = { name: "", groups: ["system:masters"] };

/** Lists what the decisions are made by, with the rights of whoever asks; what may not be listed is said by name. */
export async function openLocalPlanner(needs: LocalPlannerNeeds): Promise<LocalPlanner> {
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal); // one for every list
  const lua = new LuaHost({ clock: needs.clock });
  const seen: SeenMember[] = [];
  const close = async () => {
    stopping.abort();
    for (const { member } of seen) member.close();
    await lua[Symbol.asyncDispose]();
  };
  try {
    const served = preferredOf(await new DiscoveryReader(needs.transport).resources(signal));
    const { options, caches, all } = await listEverything(needs, { served, signal });
    followDependents(caches);
    seen.push(...(await lookAtMembers({ ...needs, caches, served, signal })));
    const planning: PlannerNeeds = {
      caches,
      members: () => seen.map(({ member }) => member),
      lua,
      hashes: new ContentHashes(),
      clock: needs.clock,
      options,
      memberManager,
      pause: () => new Promise((resolve) => setImmediate(resolve)),
    };
    const explain = (key: string) => explainTemplate(planning, key);
    const path = await listedWritePath(all(), { ...needs, lua, gates: options.gates });
    const planner = embeddedPlanner(path, { plan: (edits) => planEdits(planning, edits), explain });
    return {
      async plan(request) {
        const asked = planner.plan({ ...request, user: everyRight });
        return reportOf(await Promise.race([asked, ...seen.map(({ failure }) => failure)]));
      },
      explain: (what) => explainNamed(served.map(namedType), { explain }, what),
      [Symbol.asyncDispose]: close,
    };
  } catch (error: unknown) {
    await close();
    throw error;
  }
}

interface Listing {
  readonly served: readonly ServedResource[];
  readonly signal: AbortSignal;
}

async function listEverything(needs: LocalPlannerNeeds, { served, signal }: Listing) {
  const refused = new Set<string>();
  const { promise: failure, fail } = possibleFailure();
  const client = listingClient(needs.client, {
    refused: (resource, namespace) => refused.add(nameOf(resource, namespace)),
    failed: fail,
  });
  const settings = await readSettings(client, needs);
  const options = { ...defaultPipelineOptions, ...settings, gates: gatesWith(settings.gates) };
  const { caches, all } = openCaches(
    {
      client,
      clock: needs.clock,
      log: silentLogger,
      metrics: silentMetrics,
      served: { resources: () => served, subscribe: () => () => {} },
      gates: options.gates,
    },
    signal,
  );
  caches.templates.start(signal);
  await Promise.race([Promise.all(all().map((cache) => cache.whenSynced())), failure]);
  if (refused.size > 0)
    throw new HintedError(
      `cannot plan: you may not list ${[...refused].toSorted().join(", ")}`,
      "a plan is made by everything that policies may mean: ask for the right to list these",
    );
  return { options, caches, all };
}

async function readSettings(client: Client, { gates, note }: LocalPlannerNeeds): Promise<PublishedSettings> {
  const published = await readPublishedSettings(client).catch(() => undefined);
  if (published === undefined && Object.keys(gates).length === 0)
    note(
      "the feature gates of the controllers are not known, and taken to be the defaults: say others with --feature-gates",
    );
  return { ...published, gates: { ...published?.gates, ...gates } };
}

function nameOf({ group, resource }: ResourceId, namespace: string | undefined): string {
  const name = group === "" ? resource : `${resource}.${group}`;
  return namespace === undefined ? name : `${name} in namespace ${namespace}`;
}

function namedType({ resource, singular = "", shortNames = [], ...rest }: ServedResource) {
  return { ...rest, plural: resource, singular, shortNames };
}
