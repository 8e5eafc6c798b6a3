import { systemNamespace } from "#api/cluster/namespaces.ts";
import { type FeatureGates, isFeatureGate } from "#api/feature-gates.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { isJsonObject, jsonEquals } from "#base/json.ts";
import type { Client } from "#client/client.ts";
import { applyObject } from "./apply-object.ts";
import { installedLabels, isInstalled } from "./installation/names.ts";

/** How controllers were started, as far as it says what they decide. */
export interface PublishedSettings {
  readonly gates: Partial<FeatureGates>;
  readonly gracefulEvictionTimeoutMs?: number;
}

/** Where they are. */
export const publishedAt = { namespace: systemNamespace, name: "flotilla-controllers" };
export const configMaps: ResourceId = {
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
};

/**
 * Lets everyone know by what the controllers decide that begin their work now: the ConfigMap `karmada-system/flotilla-controllers`. A start
 * that changes none of it writes nothing.
 */
export async function publishSettings(client: Client, settings: Required<PublishedSettings>): Promise<void> {
  const gates = Object.entries(settings.gates).map(([name, isOn]) => `${name}=${isOn}`);
  const data = {
    "feature-gates": gates.toSorted().join(","),
    "graceful-eviction-timeout-ms": String(settings.gracefulEvictionTimeoutMs),
  };
  const present = await client.get(configMaps, publishedAt);
  if (present !== undefined && isInstalled(present) && jsonEquals(present["data"], data)) return;
  await applyObject(client, configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...publishedAt, labels: installedLabels },
    data,
  });
}

/** What the controllers that work now have published; undefined when they have not. */
export async function readPublishedSettings(client: Pick<Client, "get">): Promise<PublishedSettings | undefined> {
  return settingsIn(await client.get(configMaps, publishedAt));
}

/** What the ConfigMap says; undefined when it says nothing. */
export function settingsIn(configMap: ApiObject | undefined): PublishedSettings | undefined {
  const data: unknown = configMap?.["data"];
  if (!isJsonObject(data) || typeof data["feature-gates"] !== "string") return undefined;
  const timeoutMs = Number(data["graceful-eviction-timeout-ms"]);
  return {
    gates: gatesIn(data["feature-gates"]),
    ...(Number.isSafeInteger(timeoutMs) && timeoutMs > 0 && { gracefulEvictionTimeoutMs: timeoutMs }),
  };
}

/** Gates that this version does not know are left out: it could not act on them. */
function gatesIn(text: string): Partial<FeatureGates> {
  const pairs = text.split(",").map((each) => each.split("="));
  return Object.fromEntries(
    pairs.flatMap(([name = "", value]) => (isFeatureGate(name) ? [[name, value === "true"]] : [])),
  );
}
