import type { LabelSelector } from "#api/meta/label-selector.ts";
import type { Manifest } from "#api/meta/manifest.ts";
import { derivedServiceName } from "#api/work/derived-names.ts";
import { compareBytes } from "#base/byte-order.ts";
import { objectAt, objectsAt, textAt } from "./fields.ts";
import { Malformed } from "./interpretation.ts";
import { namesInPodSpec } from "./pod-references.ts";

/** Something that an object needs to work: one by name, or all that a selector selects. */
export interface Dependency {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent where the object itself has none. */
  readonly namespace?: string;
  readonly name?: string;
  readonly labelSelector?: LabelSelector;
}

export type ReadDependencies = (object: Manifest) => readonly Dependency[];

/** What the pods of a workload refer to; `path` is where the pod spec stands. */
export function podDependencies(path: string): ReadDependencies {
  return (object) => {
    const found = namesInPodSpec(objectAt(object, path));
    // claims that a StatefulSet makes from its own templates are not looked for
    const own = objectsAt(object, "spec.volumeClaimTemplates").map((claim) => textAt(claim, "metadata.name"));
    const claims = [...found.PersistentVolumeClaim].filter((name) => !own.includes(name));
    return sorted(
      Object.entries({ ...found, PersistentVolumeClaim: claims }).flatMap(([kind, names]) =>
        [...names].map((name) => ({ apiVersion: "v1", kind, ...namespaceOf(object), name })),
      ),
    );
  };
}

/** The certificates of an Ingress. */
export function ingressDependencies(object: Manifest): readonly Dependency[] {
  const secrets = objectsAt(object, "spec.tls").map((tls) => textAt(tls, "secretName"));
  if (secrets.includes("")) throw new Malformed("spec.tls has an item without secretName");
  return sorted(secrets.map((name) => ({ apiVersion: "v1", kind: "Secret", ...namespaceOf(object), name })));
}

/** The service that stands for an imported one, and its endpoints. */
export function serviceImportDependencies(object: Manifest): readonly Dependency[] {
  const name = derivedServiceName(object.metadata.name);
  const matchLabels = { "kubernetes.io/service-name": name };
  return sorted([
    { apiVersion: "v1", kind: "Service", ...namespaceOf(object), name },
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      ...namespaceOf(object),
      labelSelector: { matchLabels },
    },
  ]);
}

function namespaceOf({ metadata }: Manifest): Pick<Dependency, "namespace"> {
  const { namespace = "" } = metadata;
  return namespace === "" ? {} : { namespace };
}

/** By apiVersion, kind, namespace and name: the same facts give the same annotation. */
function sorted(dependencies: readonly Dependency[]): readonly Dependency[] {
  return dependencies.toSorted(
    (a, b) =>
      compareBytes(a.apiVersion, b.apiVersion) ||
      compareBytes(a.kind, b.kind) ||
      compareBytes(a.namespace ?? "", b.namespace ?? "") ||
      compareBytes(a.name ?? "", b.name ?? ""),
  );
}
