import { Clusters } from "#api/cluster/cluster.ts";
import { executionNamespaceOf } from "#api/cluster/namespaces.ts";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { keyOf, type ResourceId } from "#api/meta/resource-id.ts";
import { Works } from "#api/work/work.ts";
import type { Clock } from "#base/clock.ts";
import { HintedError } from "#base/hinted-error.ts";
import type { Client, NewObject } from "#client/client.ts";
import { isInstalled } from "../installation/names.ts";
import { waitUntil } from "../wait-until.ts";
import { accountObjects, impersonatorName, type MemberAccount, resourceOfAccount } from "./member-account.ts";

export interface UnjoinNeeds {
  readonly controlPlane: Client;
  /** With the rights of whoever unjoins it; undefined: nothing is cleaned there. */
  readonly member: Client | undefined;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Let go of the cluster even when what runs there cannot be removed. */
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Told of every object that goes, and where. */
  readonly report: (where: "member" | "control plane", object: Pick<NewObject, "kind" | "metadata">) => void;
}

const clusters = resourceOf(Clusters);
const { Secret, ServiceAccount } = kubernetesResources;

/** Removes a cluster: what was sent there goes first, then the registration, the credentials, and the account in the member. */
export async function unjoin(account: MemberAccount, needs: UnjoinNeeds): Promise<void> {
  const { controlPlane, dryRun, report } = needs;
  const { cluster: name, namespace } = account;
  const cluster = await controlPlane.get(clusters, { name });
  if (cluster === undefined && needs.member === undefined)
    throw new HintedError(
      `cannot find cluster ${JSON.stringify(name)}`,
      "kubectl get clusters shows those that are joined",
    );
  if (cluster !== undefined) {
    if (!dryRun) await removeCluster(cluster, needs);
    report("control plane", cluster);
  }
  for (const secret of [name, `${name}-impersonator`]) {
    const isThere = dryRun
      ? (await controlPlane.get(Secret, { namespace, name: secret })) !== undefined
      : await controlPlane.delete(Secret, { namespace, name: secret });
    if (isThere) report("control plane", { kind: "Secret", metadata: { name: secret, namespace } });
  }
  if (needs.member !== undefined) await cleanMember(account, { ...needs, member: needs.member });
}

async function removeCluster(cluster: ApiObject, needs: UnjoinNeeds): Promise<void> {
  const { controlPlane, clock, timeoutMs, force } = needs;
  const { name, uid } = cluster.metadata;
  await controlPlane.delete(clusters, { name }, { preconditions: { uid } });
  const isGone = async () => (await controlPlane.get(clusters, { name }))?.metadata.uid !== uid;
  if (await waitUntil(isGone, { clock, timeoutMs })) return;
  const works = (await controlPlane.list(resourceOf(Works), { namespace: executionNamespaceOf(name) })).items;
  if (!force)
    throw new HintedError(
      `cannot remove cluster ${JSON.stringify(name)} within ${timeoutMs / 1_000} s: ${works.length} works of it are still there`,
      "wait longer with --wait; or, when the cluster does not answer any more, repeat with --force, which leaves there what is there",
    );
  for (const work of works) await release(controlPlane, { resource: resourceOf(Works), object: work });
  const left = await controlPlane.get(clusters, { name });
  if (left !== undefined) await release(controlPlane, { resource: clusters, object: left });
  if (await waitUntil(isGone, { clock, timeoutMs })) return;
  throw new HintedError(
    `cannot remove cluster ${JSON.stringify(name)}: others' finalizers keep it`,
    `kubectl get cluster ${name} -o yaml`,
  );
}

/** Takes our finalizers away. */
async function release(
  client: Client,
  { resource, object }: { readonly resource: ResourceId; readonly object: ApiObject },
): Promise<void> {
  const finalizers = (object.metadata.finalizers ?? []).filter((each) => !each.startsWith("karmada.io/"));
  await client.patch(resource, keyOf(object), { type: "merge", patch: { metadata: { finalizers } } });
}

/** Everything of the account but what other accounts of ours there still need. */
async function cleanMember(
  account: MemberAccount,
  { member, dryRun, report }: UnjoinNeeds & { readonly member: Client },
): Promise<void> {
  const own = accountObjects(account);
  const accounts = (await member.list(ServiceAccount, { namespace: account.namespace })).items.filter(isInstalled);
  const others = accounts.filter(
    ({ metadata }) => !own.some(({ kind, metadata: { name } }) => kind === "ServiceAccount" && name === metadata.name),
  );
  const isShared = ({ kind, metadata }: NewObject) => kind === "Namespace" || metadata.name === impersonatorName;
  for (const object of own.filter((each) => others.length === 0 || !isShared(each)).reverse()) {
    const { name = "", namespace } = object.metadata;
    const found = await member.get(resourceOfAccount(object), { name, ...(namespace !== undefined && { namespace }) });
    if (found === undefined || !isInstalled(found)) continue;
    if (!dryRun)
      await member.delete(resourceOfAccount(object), keyOf(found), { preconditions: { uid: found.metadata.uid } });
    report("member", object);
  }
}
