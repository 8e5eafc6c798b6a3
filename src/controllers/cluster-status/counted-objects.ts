import type { ApiObject, Fields } from "#api/meta/object-meta.ts";

const nothing: Fields = Object.freeze({});

/**
 * What of a pod counts in the summary of its cluster: there may be a hundred thousand of them, and most of a pod does not. All have one
 * shape, with what is absent undefined, since that takes the least memory.
 */
export function countedPod(pod: ApiObject): ApiObject {
  const spec = fieldsOf(pod["spec"]);
  const { phase } = fieldsOf(pod["status"]);
  const { nodeName, overhead } = spec;
  const containers = asking(spec["containers"]);
  const initContainers = asking(spec["initContainers"]);
  const asksNothing = nodeName === undefined && overhead === undefined && !containers && !initContainers;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: identityOf(pod),
    spec: asksNothing ? nothing : { nodeName, overhead, containers, initContainers },
    status: phase === undefined ? nothing : { phase },
  };
}

/** What of a node does. */
export function countedNode(node: ApiObject): ApiObject {
  const { conditions, allocatable } = fieldsOf(node["status"]);
  const ready = listOf(conditions).filter(({ type }) => type === "Ready");
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: identityOf(node),
    status: { allocatable, conditions: ready.map(({ type, status }) => ({ type, status })) },
  };
}

function identityOf({ metadata }: ApiObject): ApiObject["metadata"] {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  return namespace === undefined
    ? { name, uid, resourceVersion, creationTimestamp }
    : { name, namespace, uid, resourceVersion, creationTimestamp };
}

/** Of containers, those that ask for something; undefined: none does. */
function asking(containers: unknown): readonly Fields[] | undefined {
  const found = listOf(containers).flatMap(({ resources }) => {
    const { requests } = fieldsOf(resources);
    return requests === undefined ? [] : [{ resources: { requests } }];
  });
  return found.length === 0 ? undefined : found;
}

/** What members say is not trusted to have the shape of its kind. */
function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}
