import type { Cluster } from "#api/cluster/cluster.ts";
import type { Manifest } from "#api/meta/manifest.ts";
import type { Override } from "#api/policy/override-policy.ts";
import { isJsonObject } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";
import { appliedOverrides } from "#overrides/applied-overrides.ts";
import { applyOverrides } from "#overrides/apply-overrides.ts";
import { parseImageParts, printImageParts } from "#overrides/image-parts.ts";
import { prepareOverride } from "#overrides/prepared-override.ts";
import type { VectorAdapter } from "#test/vectors/vector.ts";

interface Input {
  readonly object: Manifest;
  readonly cluster: Cluster;
  readonly clusterOverridePolicies?: readonly Override[];
  readonly overridePolicies?: readonly Override[];
}

export const adapter: VectorAdapter = {
  applyOverridePolicies: {
    answer: ({ object, cluster, clusterOverridePolicies = [], overridePolicies = [] }: Input) => {
      const overrides = [...overridePolicies, ...clusterOverridePolicies].map(prepareOverride);
      const result = applyOverrides(object, { cluster, overrides });
      if (!result.ok) return { err: result.message };
      const ofCluster = appliedOverrides(result.rules, "ClusterOverridePolicy");
      const ofNamespace = appliedOverrides(result.rules, "OverridePolicy");
      return {
        out: {
          object: result.manifest,
          ...(ofCluster !== undefined && { appliedClusterOverrides: parseJson(ofCluster).value }),
          ...(ofNamespace !== undefined && { appliedOverrides: parseJson(ofNamespace).value }),
        },
      };
    },
    rules: { canonical: withoutNullValues },
    exceptions: [
      {
        ruling: 21, // only where upstream changed what the object is, and we refuse just that
        explains: ({ in: input, out }, answer) =>
          isJsonObject(out) &&
          answer.err?.endsWith(" cannot be overridden") === true &&
          identity(out["object"]) !== identity(input["object"]),
      },
    ],
  },
  parseImage: {
    answer: ({ image }: { image: string }) => {
      const parts = parseImageParts(image);
      return parts === undefined ? { err: "not an image" } : { out: { ...parts, string: printImageParts(parts) } };
    },
  },
};

/** In the lists of what was applied, `value: null` equals an absent value. */
function withoutNullValues(out: unknown): unknown {
  if (!isJsonObject(out)) return out;
  const { object, ...lists } = out;
  return { object, ...(strip(lists) as object) };
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key, member]) => key !== "value" || member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, key === "value" ? member : strip(member)]));
}

function identity(object: unknown): string {
  if (!isJsonObject(object) || !isJsonObject(object["metadata"])) return "";
  const { name, namespace, labels, annotations, uid, ownerReferences, finalizers } = object["metadata"];
  const systemKeys = [labels, annotations].map((map) =>
    Object.entries(map ?? {}).filter(([key]) => key.includes("karmada.io/")),
  );
  return JSON.stringify([
    object["apiVersion"],
    object["kind"],
    name,
    namespace,
    uid,
    ownerReferences,
    finalizers,
    systemKeys,
  ]);
}
