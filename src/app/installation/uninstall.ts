import { Clusters } from "#api/cluster/cluster.ts";
import { type Kind, resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { ourKinds } from "#api/our-kinds.ts";
import type { Clock } from "#base/clock.ts";
import { HintedError } from "#base/hinted-error.ts";
import type { Client, NewObject } from "#client/client.ts";
import { waitUntil } from "../wait-until.ts";
import { installedObjects, resourceOfInstalled } from "./installed-objects.ts";
import { isInstalled } from "./names.ts";

export interface UninstallNeeds {
  readonly client: Client;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Drop our finalizers where no controllers are left to honour them. */
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Told of every object that goes. */
  readonly report: (object: NewObject) => void;
}

/** Removes what was installed, and with our kinds all objects of them. Refuses while clusters are joined. How many went. */
export async function uninstall(needs: UninstallNeeds): Promise<number> {
  const { client, dryRun, report } = needs;
  await expectNoClusters(client);
  const present: { readonly object: NewObject; readonly found: ApiObject }[] = [];
  for (const object of inOrderOfRemoval(installedObjects({ webhook: true }))) {
    const { name = "", namespace } = object.metadata;
    const found = await client.get(resourceOfInstalled(object), {
      name,
      ...(namespace !== undefined && { namespace }),
    });
    if (found !== undefined && isInstalled(found)) present.push({ object, found });
  }
  for (const { object, found } of present) {
    if (!dryRun) await remove(found, { ...needs, object });
    report(object);
  }
  return present.length;
}

/**
 * What fails closed goes first. Then our kinds, policies before bindings before works: controllers that still run release what their
 * finalizers hold, so their rights go after that, and the namespace in which they may run comes last.
 */
function inOrderOfRemoval(objects: readonly NewObject[]): readonly NewObject[] {
  const stage = ({ kind }: NewObject) =>
    kind.endsWith("WebhookConfiguration") ? 0 : kind === "CustomResourceDefinition" ? 1 : kind === "Namespace" ? 3 : 2;
  return objects.toSorted((a, b) => stage(a) - stage(b));
}

async function expectNoClusters(client: Client): Promise<void> {
  const joined = (await listed(client, Clusters)).map(({ metadata }) => metadata.name);
  if (joined.length === 0) return;
  throw new HintedError(
    `cannot uninstall: ${joined.length === 1 ? "a cluster is" : `${joined.length} clusters are`} joined: ${joined.join(", ")}`,
    `what runs there would be left alone or lost; first: ${joined.map((name) => `flotilla unjoin ${name}`).join("; ")}`,
  );
}

async function remove(found: ApiObject, needs: UninstallNeeds & { readonly object: NewObject }): Promise<void> {
  const { client, clock, timeoutMs, object, force } = needs;
  const resource = resourceOfInstalled(object);
  const { uid, name } = found.metadata;
  await client.delete(resource, keyOf(found), { preconditions: { uid } });
  if (object.kind !== "CustomResourceDefinition") return;
  const kind = ourKinds.find(({ plural, group }) => `${plural}.${group}` === name)!; // it defines one of them
  if (force) await dropFinalizers(client, kind);
  const isGone = async () => (await client.get(resource, { name }))?.metadata.uid !== uid;
  if (await waitUntil(isGone, { clock, timeoutMs })) return;
  throw new HintedError(
    `cannot remove ${name}: objects of it are kept by finalizers`,
    "run 'flotilla controllers' to have them released, or repeat with --force, which drops the finalizers",
  );
}

async function dropFinalizers(client: Client, kind: Kind): Promise<void> {
  for (const object of await listed(client, kind)) {
    const kept = (object.metadata.finalizers ?? []).filter((each) => !each.includes("karmada.io/"));
    if (kept.length === object.metadata.finalizers?.length || object.metadata.finalizers === undefined) continue;
    await client.patch(resourceOf(kind), keyOf(object), { type: "merge", patch: { metadata: { finalizers: kept } } });
  }
}

/** Nothing where the kind is not served. */
async function listed(client: Client, kind: Kind): Promise<readonly ApiObject[]> {
  try {
    return (await client.list(resourceOf(kind))).items;
  } catch (error: unknown) {
    if (error instanceof StatusError && error.code === 404) return [];
    throw error;
  }
}
