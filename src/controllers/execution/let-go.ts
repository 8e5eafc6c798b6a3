import type { ApiObject } from "#api/meta/object-meta.ts";

/** Whether a label or annotation is the system's own: its key belongs to karmada.io or a subdomain of it. */
function isOurKey(key: string): boolean {
  const domain = key.split("/")[0] ?? "";
  return domain === "karmada.io" || domain.endsWith(".karmada.io");
}

/** A member's object without any mark of ours: it stays, and belongs to the member from now on. */
export function letGo(observed: ApiObject): ApiObject {
  const without = (map: Readonly<Record<string, string>> | undefined) =>
    Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !isOurKey(key)));
  const { labels, annotations, managedFields: _, ...metadata } = observed.metadata; // who owns what is for the member to say
  return { ...observed, metadata: { ...metadata, labels: without(labels), annotations: without(annotations) } };
}
