import type { Fields } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { parseYamlDocuments } from "#base/parse-yaml.ts";
import type { Client, NewObject } from "#client/client.ts";
import { DiscoveryReader } from "#client/discovery.ts";
import type { StageCluster } from "#test/story/stage.ts";
import type { KubeCluster } from "./kube-cluster.ts";

/** A cluster as stories reach it, over its API, as its administrator. */
export class KubeAccess implements StageCluster {
  readonly client: Client;
  readonly #reader: DiscoveryReader;
  #resources: readonly ResourceId[] = [];

  constructor(cluster: KubeCluster) {
    this.client = cluster.client("user");
    this.#reader = new DiscoveryReader(cluster.transport());
  }

  async get(path: string): Promise<Fields | undefined> {
    const { resource, key } = await this.#locate(path);
    return (await this.client.get(resource, key)) as Fields | undefined; // as stories read it
  }

  async list(plural: string): Promise<readonly Fields[]> {
    const resource = await this.#find((each) => each.resource === plural);
    return (await this.client.list(resource)).items as readonly Fields[]; // as stories read them
  }

  /** By server-side apply; namespaces come by themselves. */
  async apply(yaml: string): Promise<void> {
    for (const { value } of parseYamlDocuments(yaml)) {
      const object = value as NewObject; // a manifest
      const resource = await this.#resourceOf(object);
      const namespace = resource.namespaced ? (object.metadata.namespace ?? "default") : undefined;
      if (namespace !== undefined) await this.#expectNamespace(namespace);
      const metadata = namespace === undefined ? object.metadata : { ...object.metadata, namespace };
      const key = { name: object.metadata.name!, ...(namespace === undefined ? {} : { namespace }) };
      await this.client.patch(resource, key, { type: "apply", patch: { ...object, metadata }, force: true });
    }
  }

  async patch(path: string, patch: object, subresource?: "status"): Promise<void> {
    const { resource, key } = await this.#locate(path);
    const where = subresource === undefined ? {} : { subresource };
    await this.client.patch(resource, key, { type: "merge", patch, ...where });
  }

  async delete(path: string): Promise<void> {
    const { resource, key } = await this.#locate(path);
    await this.client.delete(resource, key);
  }

  /** Where an object of a manifest is. */
  async pathOf(object: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: Fields;
  }): Promise<string> {
    const { resource, namespaced } = await this.#resourceOf(object);
    const { name, namespace = "default" } = object.metadata;
    return namespaced ? `${resource}/${namespace}/${name}` : `${resource}/${name}`;
  }

  #resourceOf(object: { readonly apiVersion: string; readonly kind: string }): Promise<ResourceId> {
    return this.#find(({ group, version, kind }) => {
      const apiVersion = group === "" ? version : `${group}/${version}`;
      return apiVersion === object.apiVersion && kind === object.kind;
    });
  }

  async #locate(path: string) {
    const [plural, ...rest] = path.split("/") as [string, ...string[]];
    const resource = await this.#find((each) => each.resource === plural);
    const name = rest.at(-1)!;
    return { resource, key: rest.length === 2 ? { namespace: rest[0]!, name } : { name } };
  }

  /** Kinds that are defined later on are found when they are asked for. */
  async #find(isIt: (resource: ResourceId) => boolean): Promise<ResourceId> {
    const known = this.#resources.find(isIt);
    if (known !== undefined) return known;
    this.#resources = await this.#reader.resources(AbortSignal.timeout(30_000));
    const found = this.#resources.find(isIt);
    if (found === undefined) throw new Error("nothing of that name is served");
    return found;
  }

  async #expectNamespace(name: string): Promise<void> {
    const resource = await this.#find((each) => each.resource === "namespaces");
    if ((await this.client.get(resource, { name })) !== undefined) return;
    try {
      await this.client.create(resource, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    } catch (error: unknown) {
      if (!(error instanceof StatusError && error.reason === "AlreadyExists")) throw error;
    }
  }
}
