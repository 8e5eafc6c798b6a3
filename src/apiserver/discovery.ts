import { createHash } from "node:crypto";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { apiVersionOf, type Registry } from "./registry.ts";

/** A subresource that discovery shows below its resource. */
export interface ListedSubresource {
  readonly name: string;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

export interface DiscoveryNeeds {
  readonly registry: Registry;
  /** Subresources beside status and scale. */
  readonly subresourcesOf: (type: ResourceType) => readonly ListedSubresource[];
}

/** The documents by which clients find out what is served, built anew when the registry changes. */
export class Discovery {
  readonly #needs: DiscoveryNeeds;
  #built: { readonly version: number; readonly documents: ReadonlyMap<string, DiscoveryDocument> } | undefined;

  constructor(needs: DiscoveryNeeds) {
    this.#needs = needs;
  }

  /** `/api`, `/apis`, `/api/v1`, `/apis/<group>`, `/apis/<group>/<version>`; undefined for anything else. */
  legacy(path: string): DiscoveryDocument | undefined {
    return this.#documents().get(path);
  }

  /** `/api` or `/apis` in the aggregated form: everything in one answer. */
  aggregated(path: "/api" | "/apis", version: "v2" | "v2beta1"): DiscoveryDocument {
    return this.#documents().get(`${path}#${version}`)!;
  }

  #documents(): ReadonlyMap<string, DiscoveryDocument> {
    const { registry } = this.#needs;
    if (this.#built?.version !== registry.version) {
      this.#built = { version: registry.version, documents: buildDocuments(this.#needs) };
    }
    return this.#built.documents;
  }
}

export interface DiscoveryDocument {
  readonly body: unknown;
  readonly etag: string;
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly types: readonly ResourceType[];
}

function buildDocuments(needs: DiscoveryNeeds): ReadonlyMap<string, DiscoveryDocument> {
  const documents = new Map<string, DiscoveryDocument>();
  const add = (path: string, body: unknown) => {
    const etag = `"${createHash("sha256").update(JSON.stringify(body)).digest("hex").toUpperCase()}"`;
    documents.set(path, { body, etag });
  };
  const groups = groupVersions(needs.registry);
  const names = [...new Set(groups.map(({ group }) => group))].filter((group) => group !== "");
  add("/api", { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] });
  add("/apis", { kind: "APIGroupList", apiVersion: "v1", groups: names.map((name) => apiGroup(name, groups)) });
  for (const name of names) add(`/apis/${name}`, { kind: "APIGroup", apiVersion: "v1", ...apiGroup(name, groups) });
  for (const group of groups) add(groupPath(group), resourceList(needs, group));
  for (const version of ["v2", "v2beta1"] as const) {
    add(`/api#${version}`, aggregatedList(needs, { version, groups: groups.filter(({ group }) => group === "") }));
    add(`/apis#${version}`, aggregatedList(needs, { version, groups: groups.filter(({ group }) => group !== "") }));
  }
  return documents;
}

function groupVersions(registry: Registry): readonly GroupVersion[] {
  const byName = new Map<string, ResourceType[]>();
  for (const type of registry.all()) {
    const name = apiVersionOf(type);
    byName.set(name, [...(byName.get(name) ?? []), type]);
  }
  const all = [...byName.values()].map((types) => ({ group: types[0]!.group, version: types[0]!.version, types }));
  return all.toSorted(
    (a, b) =>
      groupRank(a.group) - groupRank(b.group) || compareText(a.group, b.group) || compareVersions(b.version, a.version),
  );
}

/** Kubernetes' own groups first, by its priorities; the rest by name. */
const groupOrder = [
  "",
  "apps",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "scheduling.k8s.io",
  "coordination.k8s.io",
  "node.k8s.io",
  "discovery.k8s.io",
];

function groupRank(group: string): number {
  const at = groupOrder.indexOf(group);
  return at < 0 ? groupOrder.length : at;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** GA over beta over alpha, then the higher number: v2 > v1 > v1beta1 > v1alpha1 > anything else by name. */
export function compareVersions(a: string, b: string): number {
  const left = versionParts(a);
  const right = versionParts(b);
  if (left === undefined || right === undefined) {
    return left !== undefined ? 1 : right !== undefined ? -1 : -compareText(a, b);
  }
  return left.stage - right.stage || left.major - right.major || left.minor - right.minor;
}

function versionParts(version: string) {
  const match = /^v([0-9]{1,9})(?:(alpha|beta)([0-9]{1,9}))?$/.exec(version);
  if (match === null) return undefined;
  const stage = match[2] === undefined ? 3 : match[2] === "beta" ? 2 : 1;
  return { stage, major: Number(match[1]), minor: Number(match[3] ?? 0) };
}

function groupPath({ group, version }: GroupVersion): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

function apiGroup(name: string, groups: readonly GroupVersion[]) {
  const versions = groups
    .filter(({ group }) => group === name)
    .map(({ group, version }) => ({ groupVersion: `${group}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}

function resourceList(needs: DiscoveryNeeds, { group, version, types }: GroupVersion) {
  const resources = types.flatMap((type) => [
    {
      name: type.plural,
      singularName: type.singular,
      namespaced: type.namespaced,
      kind: type.kind,
      verbs: type.verbs,
      ...(type.shortNames.length > 0 ? { shortNames: type.shortNames } : {}),
      ...(type.categories.length > 0 ? { categories: type.categories } : {}),
    },
    ...listedSubresources(needs, type).map((sub) => ({
      name: `${type.plural}/${sub.name}`,
      singularName: "",
      namespaced: type.namespaced,
      ...(sub.group === undefined ? {} : { group: sub.group, version: sub.version }),
      kind: sub.kind,
      verbs: sub.verbs,
    })),
  ]);
  const sorted = resources.toSorted((a, b) => compareText(a.name, b.name));
  return {
    kind: "APIResourceList",
    ...(group === "" ? {} : { apiVersion: "v1" }), // the oldest group has kept its oldest form
    groupVersion: apiVersionOf({ group, version }),
    resources: sorted,
  };
}

function listedSubresources(needs: DiscoveryNeeds, type: ResourceType): readonly ListedSubresource[] {
  const verbs = ["get", "patch", "update"];
  return [
    ...needs.subresourcesOf(type),
    ...(type.subresources.scale ? [{ name: "scale", kind: "Scale", group: "autoscaling", version: "v1", verbs }] : []),
    ...(type.subresources.status ? [{ name: "status", kind: type.kind, verbs }] : []),
  ].toSorted((a, b) => compareText(a.name, b.name));
}

function aggregatedList(
  needs: DiscoveryNeeds,
  { version, groups }: { readonly version: string; readonly groups: readonly GroupVersion[] },
) {
  const names = [...new Set(groups.map(({ group }) => group))];
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: names.map((name) => ({
      metadata: name === "" ? { creationTimestamp: null } : { name, creationTimestamp: null },
      versions: groups
        .filter(({ group }) => group === name)
        .map((group) => ({
          version: group.version,
          freshness: "Current",
          resources: group.types
            .toSorted((a, b) => compareText(a.plural, b.plural))
            .map((type) => aggregatedResource(needs, type)),
        })),
    })),
  };
}

function aggregatedResource(needs: DiscoveryNeeds, type: ResourceType) {
  const subresources = listedSubresources(needs, type).map((sub) => ({
    subresource: sub.name,
    responseKind: { group: sub.group ?? type.group, version: sub.version ?? type.version, kind: sub.kind },
    verbs: sub.verbs,
  }));
  return {
    resource: type.plural,
    responseKind: { group: type.group, version: type.version, kind: type.kind },
    scope: type.namespaced ? "Namespaced" : "Cluster",
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length > 0 ? { shortNames: type.shortNames } : {}),
    ...(type.categories.length > 0 ? { categories: type.categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}
