import { resourceOf } from "#api/kind.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceId } from "#api/meta/resource-id.ts";
import { PropagationPolicies } from "#api/policy/propagation-policy.ts";
import { bindingNameOf, dependedByLabelOf } from "#api/work/derived-names.ts";
import { type Binding, ResourceBindings } from "#api/work/resource-binding.ts";
import { type Work, Works } from "#api/work/work.ts";
import { HintedError } from "#base/hinted-error.ts";
import type { Client } from "#client/client.ts";
import { DiscoveryReader, type ServedResource } from "#client/discovery.ts";
import type { Connection } from "../connect.ts";
import { holderOf } from "../kinds/claims.ts";
import { findResource } from "../kinds/find-resource.ts";
import { type TreeFacts, type TreeNode, treeOf } from "./tree-of.ts";

/** Reads all that belongs to a template and makes its tree. */
export async function readTree(
  { client, transport, namespace }: Connection,
  { kind, name }: { readonly kind: string; readonly name: string },
): Promise<TreeNode> {
  const served = await new DiscoveryReader(transport).resources(new AbortController().signal);
  const resource = findResource(kind, served);
  const template = await client.get(resource, { name, ...(resource.namespaced && { namespace }) });
  if (template === undefined) {
    const where = resource.namespaced ? ` in namespace ${namespace}` : "";
    throw new HintedError(
      `cannot find ${resource.resource} ${JSON.stringify(name)}${where}`,
      "-n names another namespace",
    );
  }
  const facts = await factsOf(client, named(template, resource));
  return treeOf({ ...facts, followers: await followersOf(client, served, facts.binding) });
}

async function factsOf(client: Client, template: ApiObject): Promise<TreeFacts> {
  const { namespace, name } = template.metadata;
  const bindings = resourceOf(ResourceBindings.kindFor(namespace));
  const key = { name: bindingNameOf({ kind: template.kind, name }), ...(namespace !== undefined && { namespace }) };
  const holder = holderOf(template.metadata);
  const policies = holder && PropagationPolicies.kindFor(holder.namespace);
  const [found, policy] = await Promise.all([
    client.get(bindings, key) as unknown as Promise<Binding | undefined>, // of this kind
    policies && client.get(resourceOf(policies), holder!),
  ]);
  const binding = found && { ...found, kind: bindings.kind as Binding["kind"] }; // one of the two
  const works = binding === undefined ? [] : await worksOf(client, binding);
  return { template, policy: policy && named(policy, resourceOf(policies!)), binding, works, followers: [] };
}

async function worksOf(client: Client, { kind, metadata }: Binding): Promise<readonly Work[]> {
  const { idLabel } = ResourceBindings.traits[kind];
  const id = metadata.labels?.[idLabel];
  if (id === undefined) return [];
  const { items } = await client.list(resourceOf(Works), { labelSelector: `${idLabel}=${id}` });
  return items.map((item) => named(item, resourceOf(Works))) as unknown as readonly Work[]; // of this kind
}

/** What goes where this binding goes, because its template refers to it or is referred to. */
async function followersOf(
  client: Client,
  served: readonly ServedResource[],
  binding: Binding | undefined,
): Promise<readonly TreeFacts[]> {
  if (binding === undefined) return [];
  const { namespace, name } = binding.metadata;
  const labelSelector = dependedByLabelOf({ namespace, name });
  const lists = await Promise.all(
    [ResourceBindings.namespaced, ResourceBindings.cluster].map((kind) =>
      client.list(resourceOf(kind), {
        labelSelector,
        ...(kind.namespaced && namespace !== undefined && { namespace }),
      }),
    ),
  );
  const attached = lists.flatMap(({ items }) => items) as unknown as readonly Binding[]; // of these kinds
  const found = await Promise.all(attached.map((each) => followerOf(client, served, each)));
  return found.flat();
}

async function followerOf(client: Client, served: readonly ServedResource[], { spec }: Binding) {
  const { apiVersion, kind, namespace, name } = spec.resource;
  const resource = served.find(
    (each) => each.kind === kind && apiVersion === (each.group === "" ? each.version : `${each.group}/${each.version}`),
  );
  const template = resource && (await client.get(resource, { name, ...(namespace ? { namespace } : {}) }));
  return template === undefined ? [] : [await factsOf(client, named(template, resource!))];
}

/** Lists leave out what each item is. */
function named(object: ApiObject, { group, version, kind }: ResourceId): ApiObject {
  return { ...object, apiVersion: group === "" ? version : `${group}/${version}`, kind };
}
