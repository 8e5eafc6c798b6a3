import type { ApiObject, OwnerReference } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { type Clock, formatTime } from "#base/clock.ts";
import type { Client, NewObject } from "#client/client.ts";
import { events } from "#housekeeping/resource-ids.ts";

/** Tells users that an owner was named where it cannot be; once for each dependent while the event is kept. */
export async function warnOfOwner(
  { client, clock }: { readonly client: Client; readonly clock: Clock },
  problem: { readonly dependent: ApiObject; readonly reference: OwnerReference },
): Promise<void> {
  try {
    await client.create(events, invalidOwnerEvent(problem, formatTime(clock.nowMs())));
  } catch (error: unknown) {
    // told already, or the namespace is going: no reason to keep the dependent waiting
    if (!(error instanceof StatusError && error.code < 500)) throw error;
  }
}

function invalidOwnerEvent(
  { dependent, reference }: { readonly dependent: ApiObject; readonly reference: OwnerReference },
  now: string,
): NewObject {
  const { namespace, name, uid, resourceVersion } = dependent.metadata;
  const { apiVersion, kind } = reference;
  const owner = `[${apiVersion}/${kind}, namespace: ${namespace ?? ""}, name: ${reference.name}, uid: ${reference.uid}]`;
  const component = "garbage-collector-controller";
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace: namespace ?? "default", name: `owner-ref-invalid-namespace.${uid}` },
    involvedObject: {
      apiVersion: dependent.apiVersion,
      kind: dependent.kind,
      ...(namespace === undefined ? {} : { namespace }),
      name,
      uid,
      resourceVersion,
    },
    reason: "OwnerRefInvalidNamespace",
    message: `ownerRef ${owner} does not exist in namespace ${JSON.stringify(namespace ?? "")}`,
    type: "Warning",
    count: 1,
    firstTimestamp: now,
    lastTimestamp: now,
    source: { component },
    reportingComponent: component,
  };
}
