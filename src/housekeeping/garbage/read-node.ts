import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Client } from "#client/client.ts";
import type { GraphNode } from "./ownership-graph.ts";

/** The very object that a node stands for, as it is now; undefined when it is gone, whoever has its name. */
export async function readNode(client: Client, node: GraphNode): Promise<ApiObject | undefined> {
  const { namespace, name } = node;
  const object = await client.get(node.resource, namespace === undefined ? { name } : { namespace, name });
  return object?.metadata.uid === node.uid ? object : undefined;
}
