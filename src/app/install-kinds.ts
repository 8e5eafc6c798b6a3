import { crdOf } from "#api/crd-of.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { ourKinds } from "#api/our-kinds.ts";
import { jsonEquals } from "#base/json.ts";
import type { Client, NewObject } from "#client/client.ts";

const definitions: ResourceId = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  namespaced: false,
};

/** Publishes our kinds as definitions; a start with the same kinds writes nothing. */
export async function installOurKinds(client: Client): Promise<void> {
  for (const kind of ourKinds) {
    const wanted = crdOf(kind) as unknown as NewObject; // a CustomResourceDefinition
    const present = await client.get(definitions, { name: wanted.metadata.name! });
    if (present === undefined) await client.create(definitions, wanted);
    else if (!covers(present["spec"], wanted["spec"]))
      await client.update(definitions, { ...present, spec: wanted["spec"] } as ApiObject);
  }
}

/** Whether the stored spec has all of the wanted one; the server may have added defaults. */
function covers(stored: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(stored) &&
      stored.length === wanted.length &&
      wanted.every((item, index) => covers(stored[index], item))
    );
  }
  if (typeof wanted !== "object" || wanted === null) return jsonEquals(stored, wanted);
  if (typeof stored !== "object" || stored === null) return false;
  return Object.entries(wanted).every(([key, value]) => covers((stored as Record<string, unknown>)[key], value));
}
