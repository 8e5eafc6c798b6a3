import type { ResourceId } from "#api/meta/resource-id.ts";
import { isJsonObject, type JsonObject, member } from "#base/json.ts";
import type { HttpTransport } from "./http-transport.ts";

/** What a server says of a resource; the names by which people know it, where it has others. */
export interface ServedResource extends ResourceId {
  readonly singular?: string;
  readonly shortNames?: readonly string[];
}

/** More than any cluster serves. */
const maxResources = 20_000;
const maxLegacyVersions = 500;

const aggregated = ["v2", "v2beta1"]
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .concat("application/json")
  .join(",");

/** Asks a server what it serves; an answer that did not change since the last time is not sent again. */
export class DiscoveryReader {
  readonly #transport: Pick<HttpTransport, "document">;
  readonly #known = new Map<string, { readonly etag: string; readonly resources: readonly ServedResource[] }>();

  constructor(transport: Pick<HttpTransport, "document">) {
    this.#transport = transport;
  }

  /** Everything that can be listed and watched. */
  async resources(signal: AbortSignal): Promise<readonly ServedResource[]> {
    const [core, groups] = await Promise.all([this.#read("/api", signal), this.#read("/apis", signal)]);
    return bounded([...core, ...groups]);
  }

  async #read(path: "/api" | "/apis", signal: AbortSignal): Promise<readonly ServedResource[]> {
    const known = this.#known.get(path);
    const answer = await this.#transport.document(path, { accept: aggregated, ifNoneMatch: known?.etag, signal });
    if (answer === undefined) return known?.resources ?? [];
    const { value, etag } = answer;
    if (member(value, "kind") !== "APIGroupDiscoveryList") return this.#readLegacy(value, signal);
    const resources = bounded(aggregatedResources(value));
    if (etag !== undefined) this.#known.set(path, { etag, resources });
    return resources;
  }

  /** Servers before 1.26 tell one version of a group at a time. */
  async #readLegacy(value: JsonObject, signal: AbortSignal): Promise<readonly ServedResource[]> {
    const versions = legacyVersions(value);
    if (versions.length > maxLegacyVersions)
      throw new Error(`cannot discover: more than ${maxLegacyVersions} versions`);
    const found: ServedResource[] = [];
    for (const { group, version } of versions) {
      const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
      const answer = await this.#transport.document(path, { signal });
      if (answer !== undefined) found.push(...bounded(legacyResources(answer.value, { group, version })));
    }
    return found;
  }
}

function bounded(resources: readonly ServedResource[]): readonly ServedResource[] {
  if (resources.length > maxResources) throw new Error(`cannot discover: more than ${maxResources} resources`);
  return resources;
}

function aggregatedResources(list: JsonObject): ServedResource[] {
  return objectsIn(list, "items").flatMap((item) => {
    const group = textIn(objectIn(item, "metadata"), "name") ?? "";
    return objectsIn(item, "versions").flatMap((each) => {
      const version = textIn(each, "version");
      if (version === undefined) return [];
      return objectsIn(each, "resources").flatMap((resource) => {
        const kind = textIn(objectIn(resource, "responseKind"), "kind");
        const name = textIn(resource, "resource");
        if (kind === undefined || name === undefined || !isFollowable(resource)) return [];
        const namespaced = member(resource, "scope") === "Namespaced";
        return [{ group, version, resource: name, kind, namespaced, ...otherNames(resource, "singularResource") }];
      });
    });
  });
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Of `/api` (a list of versions) or `/apis` (a list of groups). */
function legacyVersions(value: JsonObject): readonly GroupVersion[] {
  const versions = member(value, "versions");
  if (Array.isArray(versions)) {
    return versions
      .filter((each): each is string => typeof each === "string" && isSegment(each))
      .map((version) => ({ group: "", version }));
  }
  return objectsIn(value, "groups").flatMap((item) => {
    const group = textIn(item, "name") ?? "";
    return objectsIn(item, "versions").flatMap((each) => {
      const version = textIn(each, "version") ?? "";
      return isSegment(group) && isSegment(version) ? [{ group, version }] : [];
    });
  });
}

/** The server names the next path to ask: it must be a name, not a way elsewhere. */
function isSegment(text: string): boolean {
  return /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(text) && text.length <= 253;
}

function legacyResources(value: JsonObject, { group, version }: GroupVersion): ServedResource[] {
  return objectsIn(value, "resources").flatMap((resource) => {
    const name = textIn(resource, "name");
    const kind = textIn(resource, "kind");
    if (name === undefined || kind === undefined || name.includes("/") || !isFollowable(resource)) return [];
    const namespaced = member(resource, "namespaced") === true;
    return [{ group, version, resource: name, kind, namespaced, ...otherNames(resource, "singularName") }];
  });
}

function otherNames(resource: JsonObject, singularKey: string): Pick<ServedResource, "singular" | "shortNames"> {
  const singular = textIn(resource, singularKey);
  const given = member(resource, "shortNames");
  const shortNames = (Array.isArray(given) ? given : []).filter((name) => typeof name === "string");
  return { ...(singular !== undefined && { singular }), ...(shortNames.length > 0 && { shortNames }) };
}

function isFollowable(resource: JsonObject): boolean {
  const verbs = member(resource, "verbs");
  return Array.isArray(verbs) && verbs.includes("list") && verbs.includes("watch");
}

function objectIn(value: JsonObject, key: string): JsonObject {
  const found = member(value, key);
  return isJsonObject(found) ? found : {};
}

function objectsIn(value: JsonObject, key: string): readonly JsonObject[] {
  const found = member(value, key);
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}

function textIn(value: JsonObject, key: string): string | undefined {
  const found = member(value, key);
  return typeof found === "string" && found !== "" && found.length <= 253 ? found : undefined;
}
