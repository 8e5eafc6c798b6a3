import type { ApiObject, Fields } from "#api/meta/object-meta.ts";

/** What of a pod counts in the summary of its cluster: there may be a hundred thousand of them, and most of a pod does not. */
export function countedPod(pod: ApiObject): ApiObject {
  const spec = fieldsOf(pod["spec"]);
  const { phase } = fieldsOf(pod["status"]);
  return {
    ...identityOf(pod),
    spec: {
      ...(spec.nodeName && { nodeName: spec.nodeName }),
      ...(spec.containers && { containers: asking(spec.containers) }),
      ...(spec.initContainers && { initContainers: asking(spec.initContainers) }),
      ...(spec.overhead && { overhead: spec.overhead }),
    },
    ...(phase && { status: { phase } }),
  };
}

/** What of a node does. */
export function countedNode(node: ApiObject): ApiObject {
  const status = fieldsOf(node["status"]);
  const ready = listOf(status.conditions).filter(({ type }) => type === "Ready");
  const conditions = ready.map(({ type, status: value }) => ({ type, status: value }));
  return {
    ...identityOf(node),
    status: { ...(status.allocatable && { allocatable: status.allocatable }), conditions },
  };
}

function identityOf({ apiVersion, kind, metadata }: ApiObject): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  const known = { name, uid, resourceVersion, creationTimestamp };
  return { apiVersion, kind, metadata: namespace === undefined ? known : { ...known, namespace } };
}

/** Of containers, those that ask for something. */
function asking(containers: unknown): readonly Fields[] {
  return listOf(containers).flatMap(({ resources }) => {
    const { requests } = fieldsOf(resources);
    return requests === undefined ? [] : [{ resources: { requests } }];
  });
}

/** What members say is not trusted to have the shape of its kind. */
function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}
