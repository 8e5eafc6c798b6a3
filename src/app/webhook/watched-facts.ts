import {
  type ResourceInterpreterCustomization,
  ResourceInterpreterCustomizations,
} from "#api/config/resource-interpreter-customization.ts";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import { resourceOf } from "#api/kind.ts";
import type { ApiTransport, UserInfo } from "#api/meta/api-call.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import type { Clock } from "#base/clock.ts";
import type { Logger } from "#base/logger.ts";
import type { Client } from "#client/client.ts";
import { DiscoveryReader } from "#client/discovery.ts";
import type { HttpTransport } from "#client/http-transport.ts";
import { allSynced } from "#runtime/all-synced.ts";
import { LiveInformer } from "#runtime/informer.ts";
import type { AdmissionFacts, SecretKey } from "../admission-facts.ts";

export interface WatchedFactsNeeds {
  readonly client: Client;
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Over the wire a caller is who its credentials say. */
const nobody = { name: "", groups: [] };

/** The facts of an API server elsewhere: what it serves itself is read once, what users define and customize is followed. */
export async function watchFacts(needs: WatchedFactsNeeds, signal: AbortSignal): Promise<AdmissionFacts> {
  const { transport, ...informing } = needs;
  const nameOf = (group: string, kind: string) => `${group}/${kind}`;
  const definitions = new LiveInformer<ApiObject>({
    ...informing,
    resource: kubernetesResources.CustomResourceDefinition,
    indexes: { kind: ({ spec }: Fields) => [nameOf(spec.group, spec.names.kind)] },
    keep: withoutSchemas,
  });
  const customizations = new LiveInformer<ApiObject>({
    ...informing,
    resource: resourceOf(ResourceInterpreterCustomizations),
  });
  definitions.start(signal);
  customizations.start(signal);
  const served = await discovered(needs, signal);
  const clusterScoped = new Set(
    served.flatMap(({ group, kind, namespaced }) => (namespaced ? [] : [nameOf(group, kind)])),
  );
  await allSynced([definitions, customizations]);
  return {
    isClusterScoped: ({ apiVersion, kind }) => {
      const name = nameOf(apiVersion.includes("/") ? apiVersion.split("/")[0]! : "", kind);
      const [definition] = definitions.byIndex("kind", name) as readonly Fields[];
      return definition === undefined ? clusterScoped.has(name) : definition["spec"].scope === "Cluster";
    },
    customizations: () => [...customizations.all()] as unknown as readonly ResourceInterpreterCustomization[], // of that kind
    mayGetSecret: (user, secret) => mayGetSecret(transport, user, secret),
  };
}

/** Whom a definition is about: what its objects look like is the larger part, and nobody asks for it. */
function withoutSchemas({ spec: { group, names, scope }, ...definition }: Fields): ApiObject {
  return { ...definition, spec: { group, names, scope } } as unknown as ApiObject; // with its metadata
}

const retryMs = 2_000;

/** What the server serves, asked until it answers. */
async function discovered(
  { transport, clock, log }: WatchedFactsNeeds,
  signal: AbortSignal,
): Promise<readonly ResourceId[]> {
  const reader = new DiscoveryReader(transport);
  for (;;) {
    try {
      return await reader.resources(signal);
    } catch (error: unknown) {
      if (signal.aborted) throw error;
      log.error("cannot find out what the API server serves", { error });
    }
    await new Promise<void>((resolve) => {
      const cancel = clock.after(retryMs, resolve);
      signal.addEventListener("abort", () => resolve(cancel()), { once: true });
    });
  }
}

async function mayGetSecret(
  transport: ApiTransport,
  { name, uid, groups, extra }: UserInfo,
  secret: SecretKey,
): Promise<boolean> {
  const answer = await transport.call({
    verb: "create",
    path: { group: "authorization.k8s.io", version: "v1", resource: "subjectaccessreviews" },
    user: nobody,
    options: {},
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: {
        user: name,
        uid,
        groups,
        extra,
        resourceAttributes: { verb: "get", group: "", resource: "secrets", ...secret },
      },
    },
  });
  return answer.kind === "document" && (answer.document as Fields)["status"]?.allowed === true;
}
