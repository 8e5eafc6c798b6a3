import { resourceOf } from "#api/kind.ts";
import { type Policy, PropagationPolicies } from "#api/policy/propagation-policy.ts";
import { systemClock } from "#app/system.ts";
import { HintedError } from "#base/hinted-error.ts";
import { DiscoveryReader, type ServedResource } from "#client/discovery.ts";
import { readCluster } from "../change-cluster.ts";
import type { Output } from "../command.ts";
import type { Connection } from "../connect.ts";
import { findResource } from "../kinds/find-resource.ts";
import { type Choice, listUnmatched, pickTemplates } from "./pick-templates.ts";
import { planReconcile } from "./plan-reconcile.ts";
import { printOutcome } from "./print-outcome.ts";
import type { ReconcileFlags } from "./reconcile.ts";
import type { ReconcileRequest } from "./reconcile-flags.ts";
import { runWaves } from "./run-waves.ts";
import { showProgress } from "./show-progress.ts";

export interface ReconcileRun {
  readonly connection: Connection;
  readonly flags: ReconcileFlags;
  readonly timeoutMs: number;
  readonly output: Output;
  readonly signal: AbortSignal;
}

const quietMs = 700;

/** Reconciles what was asked for and prints what became of it. False when something failed or was interrupted. */
export async function runReconcile(request: ReconcileRequest, run: ReconcileRun): Promise<boolean> {
  const { connection, flags, timeoutMs, output, signal } = run;
  const { client } = connection;
  await Promise.all(request.order.map((name) => readCluster(client, name)));
  const served = await new DiscoveryReader(connection.transport).resources(signal);
  const choice = await choiceOf(request.what, connection, served);
  const namespace = choice.by === "name" && choice.resource.namespaced ? connection.namespace : flags.namespace;
  const picked = await pickTemplates(choice, {
    client,
    served,
    namespace,
    nowMs: systemClock.nowMs(),
    recentMs: timeoutMs,
  });
  if (choice.by === "name") await expectPresent(choice, connection);
  if (flags.plan) return planReconcile(picked, { connection, flags, output, format: flags.output });
  const progress = showProgress(output, request.order);
  const { order, limit } = request;
  const needs = { client, clock: systemClock, order, limit, timeoutMs, quietMs, signal, tell: progress.tell };
  const outcome = await runWaves(picked, needs).finally(progress.end);
  await printOutcome(outcome, { output, format: flags.output, stages: order.length + 1 });
  if (choice.by === "all") await warnOfUnmatched(run);
  return outcome.ended === "finished";
}

async function choiceOf(
  what: ReconcileRequest["what"],
  connection: Connection,
  served: readonly ServedResource[],
): Promise<Choice> {
  if (what.by === "name") return { by: "name", resource: findResource(what.kind, served), name: what.name };
  if (what.by === "policy") return { by: "policy", policy: await readPolicy(what, connection) };
  return what;
}

async function readPolicy(
  { scope, name }: Extract<ReconcileRequest["what"], { readonly by: "policy" }>,
  { client, namespace }: Connection,
): Promise<Policy> {
  const { namespaced, cluster } = PropagationPolicies;
  const [own, wide] = await Promise.all([
    scope === "cluster" ? undefined : client.get(resourceOf(namespaced), { namespace, name }),
    scope === "namespaced" ? undefined : client.get(resourceOf(cluster), { name }),
  ]);
  if (own !== undefined && wide !== undefined)
    throw new HintedError(
      `cannot tell which policy ${JSON.stringify(name)} is meant`,
      `write pp/${name} or cpp/${name}`,
    );
  const found = own ?? wide;
  if (found !== undefined) return found as unknown as Policy; // one of these kinds
  throw new HintedError(
    `cannot find policy ${JSON.stringify(name)}`,
    `looked for a PropagationPolicy in namespace ${namespace} and a ClusterPropagationPolicy; -n names another namespace`,
  );
}

async function expectPresent({ resource, name }: Extract<Choice, { by: "name" }>, connection: Connection) {
  const { client, namespace } = connection;
  const found = await client.get(resource, { name, ...(resource.namespaced && { namespace }) });
  if (found !== undefined) return;
  const where = resource.namespaced ? ` in namespace ${namespace}` : "";
  throw new HintedError(`cannot find ${resource.kind} ${name}${where}`, "-n names another namespace");
}

async function warnOfUnmatched({ connection, flags, output }: ReconcileRun): Promise<void> {
  const names = await listUnmatched({ client: connection.client, namespace: flags.namespace });
  if (names.length > 0)
    output.note(
      `${names.length} cannot be reconciled, no policy matches them any more: ${names.slice(0, 5).join(", ")}`,
    );
}
