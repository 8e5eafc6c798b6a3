import type { Fields } from "#api/meta/object-meta.ts";
import { goQuote } from "#base/go-text.ts";
import { claimWarnings } from "./amount-warnings.ts";

/** Sources that Kubernetes has given up, with what it says of them. */
const givenUp: Readonly<Record<string, string>> = {
  photonPersistentDisk: "deprecated in v1.11, non-functional in v1.16+",
  gitRepo: "deprecated in v1.11, and disabled by default in v1.33+",
  scaleIO: "deprecated in v1.16, non-functional in v1.22+",
  flocker: "deprecated in v1.22, non-functional in v1.25+",
  storageos: "deprecated in v1.22, non-functional in v1.25+",
  quobyte: "deprecated in v1.22, non-functional in v1.25+",
  glusterfs: "deprecated in v1.25, non-functional in v1.26+",
  cephfs: "deprecated in v1.28, non-functional in v1.31+",
  rbd: "deprecated in v1.28, non-functional in v1.31+",
};

/** Sources of persistent volumes of which nothing is said. */
const silent: ReadonlySet<string> = new Set(["gitRepo", "flocker", "quobyte"]);

/** What is to be said of the sources of a persistent volume. */
export function persistentSourceWarnings(spec: Fields, path: string): string[] {
  return givenUpWarnings(spec, path)
    .filter(([source]) => !silent.has(source))
    .map(([, warning]) => warning);
}

function givenUpWarnings(holder: Fields, path: string): (readonly [source: string, warning: string])[] {
  return Object.entries(givenUp)
    .filter(([source]) => holder[source] != null)
    .map(([source, message]) => [source, `${path}.${source === "storageos" ? "storageOS" : source}: ${message}`]);
}

/** What is to be said of the volumes of a pod. */
export function volumeWarnings(volumes: readonly Fields[], path: string): string[] {
  return [
    ...volumes.flatMap((volume, index) => {
      const at = `${path}[${index}]`;
      const claim = volume.ephemeral?.volumeClaimTemplate;
      return [
        ...givenUpWarnings(volume, at).map(([, warning]) => warning),
        ...(claim == null ? [] : claimWarnings(claim.spec, `${at}.ephemeral.volumeClaimTemplate.spec`)),
      ];
    }),
    ...volumes.flatMap(overlapWarnings),
  ];
}

interface Placed {
  readonly path: string;
  /** Who brings it; empty where there is one alone. */
  readonly source: string;
}

function overlapWarnings(volume: Fields): string[] {
  const { name = "", configMap, secret, downwardAPI, projected } = volume;
  const said = (what: string, paths: readonly Placed[]) =>
    overlaps(paths).map((overlap) => `volume ${goQuote(name)} (${what}): overlapping paths: ${overlap}`);
  return [
    ...said(`ConfigMap ${goQuote(configMap?.name ?? "")}`, placed(configMap?.items, "")),
    ...said(`Secret ${goQuote(secret?.secretName ?? "")}`, placed(secret?.items, "")),
    ...said("DownwardAPI", placed(downwardAPI?.items, "")),
    ...(projected?.sources ?? [])
      .filter((source: Fields) => Object.values(source).every((part) => part == null))
      .map(() => `volume ${goQuote(name)} (Projected) has no sources provided`),
    ...said("Projected", (projected?.sources ?? []).flatMap(projectedPaths)),
  ];
}

function placed(items: readonly Fields[] | undefined, source: string): Placed[] {
  return (items ?? []).map(({ path = "" }) => ({ path, source }));
}

function projectedPaths({ configMap, secret, downwardAPI, serviceAccountToken }: Fields): Placed[] {
  if (configMap?.items != null) return placed(configMap.items, `ConfigMap ${goQuote(configMap.name ?? "")}`);
  if (secret?.items != null) return placed(secret.items, `Secret ${goQuote(secret.name ?? "")}`);
  if (downwardAPI?.items != null) return placed(downwardAPI.items, "DownwardAPI");
  return serviceAccountToken == null ? [] : placed([serviceAccountToken], "ServiceAccountToken");
}

/** Of a volume with more files nothing is said: each is compared with all before it, and may be told of with each. */
const maxPaths = 256;

/** Files of which one is the other or lies below it. */
function overlaps(paths: readonly Placed[]): string[] {
  if (paths.length > maxPaths) return [];
  const trimmed = paths.map(({ path, source }) => ({ path: path.replace(/\/+$/, ""), source }));
  return trimmed.flatMap((later, index) =>
    trimmed
      .slice(0, index)
      .filter((earlier) => collide(earlier.path, later.path))
      .map((earlier) => `${printed(later)} with ${printed(earlier)}`),
  );
}

function collide(a: string, b: string): boolean {
  return a !== "" && b !== "" && (`${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`));
}

function printed({ path, source }: Placed): string {
  return source === "" ? goQuote(path) : `${goQuote(path)} (${source})`;
}
