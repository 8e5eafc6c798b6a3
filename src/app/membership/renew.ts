import { type Cluster, Clusters } from "#api/cluster/cluster.ts";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { HintedError } from "#base/hinted-error.ts";
import type { NewObject } from "#client/client.ts";
import { readClusterId } from "#members/cluster-identity.ts";
import { applyObject } from "../apply-object.ts";
import type { JoinNeeds, JoinRequest, JoinResult } from "./join.ts";
import { accountObjects, resourceOfAccount } from "./member-account.ts";
import { expectGoodToken, ownBy, readTokens, tokenSecret } from "./member-credentials.ts";

const { Secret } = kubernetesResources;

/**
 * Gives a member that has joined new tokens in the place of the old ones; its registration, and what was sent to it, stay. The account in
 * the member is made again where it is missing. What breaks off is done by the next attempt.
 */
export async function renew(
  request: Omit<JoinRequest, "endpoint" | "provider" | "region" | "zones">,
  needs: JoinNeeds,
): Promise<JoinResult> {
  const { controlPlane, member, dryRun, report } = needs;
  const id = (await readClusterId(member)) ?? "";
  const cluster = await findMember(request.cluster, { ...needs, id });
  for (const object of accountObjects(request)) {
    if (!dryRun) await renewObject(object, needs);
    report("member", object);
  }
  const tokens = dryRun ? undefined : await readTokens(request, { ...needs, client: member });
  const token = tokens?.own.token ?? "…";
  if (!dryRun)
    await expectGoodToken({ ...request, endpoint: new URL(cluster.spec.apiEndpoint ?? "") }, { ...needs, token, id });
  const { secretRef, impersonatorSecretRef } = cluster.spec;
  const secrets = [
    ...(secretRef === undefined ? [] : [tokenSecret({ key: secretRef, token, ca: request.identity.ca })]),
    ...(impersonatorSecretRef === undefined
      ? []
      : [tokenSecret({ key: impersonatorSecretRef, token: tokens?.impersonator.token ?? "…" })]),
  ];
  for (const object of secrets) {
    if (!dryRun) {
      const { apiVersion, kind, metadata } = await putSecret(object, needs);
      await ownBy(cluster as unknown as ApiObject, { client: controlPlane, key: metadata }); // a Cluster
      report("control plane", { apiVersion, kind, metadata });
    } else report("control plane", object);
  }
  return { id, expires: tokens?.own.expires };
}

/** A token ends with the secret that it stands in: whoever has the former one has nothing any more. */
async function renewObject(object: NewObject, { member }: JoinNeeds): Promise<void> {
  const { name = "", namespace } = object.metadata;
  if (object.kind === "Secret") await member.delete(Secret, { name, ...(namespace !== undefined && { namespace }) });
  await applyObject(member, resourceOfAccount(object), object);
}

async function putSecret(object: NewObject, { controlPlane }: JoinNeeds): Promise<ApiObject> {
  const { name = "", namespace = "" } = object.metadata;
  return controlPlane.patch(Secret, { name, namespace }, { type: "apply", patch: object, force: true });
}

async function findMember(name: string, { controlPlane, id }: JoinNeeds & { readonly id: string }): Promise<Cluster> {
  const found = await controlPlane.get(resourceOf(Clusters), { name });
  if (found === undefined)
    throw new HintedError(
      `cannot renew: there is no cluster ${JSON.stringify(name)}`,
      "kubectl get clusters shows those that are joined; without --renew it joins",
    );
  const cluster = found as unknown as Cluster; // of that kind
  if (cluster.spec.id !== id)
    throw new HintedError(
      `cannot renew: the kubeconfig leads to another cluster than the one that joined as ${JSON.stringify(name)}`,
      "give the kubeconfig of that cluster to --cluster-kubeconfig",
    );
  return cluster;
}
