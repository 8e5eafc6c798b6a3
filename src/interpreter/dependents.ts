import type { Manifest } from "#api/meta/manifest.ts";
import { compareBytes } from "#base/byte-order.ts";
import type { JsonObject } from "#base/json.ts";
import { objectsAt, textAt, textMapAt, valueAt } from "./fields.ts";
import { interpret } from "./interpretation.ts";

/** An object that is of use only where a workload runs, and by what it is tied to it. */
export interface Dependent {
  readonly object: Manifest;
  readonly because: { readonly selects: "pods" } | { readonly routesTo: string };
}

/**
 * The Services that select the pods of a workload, and the Ingresses that route to them. They follow the workload where the operator
 * wants it; what is not of its kind's shape follows nobody.
 */
export function dependentsOf(
  podLabels: Readonly<Record<string, string>>,
  { services, ingresses }: { readonly services: readonly Manifest[]; readonly ingresses: readonly Manifest[] },
): readonly Dependent[] {
  const selecting = services
    .filter((service) => selectsPods(service, podLabels))
    .map((object): Dependent => ({ object, because: { selects: "pods" } }));
  const names = new Set(selecting.map(({ object }) => object.metadata.name));
  const routing = ingresses.flatMap((object): Dependent[] => {
    const routesTo = backendsOf(object).find((name) => names.has(name));
    return routesTo === undefined ? [] : [{ object, because: { routesTo } }];
  });
  return [...selecting, ...routing].toSorted(
    (a, b) =>
      compareBytes(a.object.kind, b.object.kind) || compareBytes(a.object.metadata.name, b.object.metadata.name),
  );
}

/** The labels of the pods that a workload makes; undefined for what makes none. */
export function podLabelsOf(object: Manifest): Readonly<Record<string, string>> | undefined {
  const path = object.kind === "Pod" ? "metadata.labels" : podLabelPath(object.kind);
  const labels = interpret(path, (where) => textMapAt(object, where));
  return labels.ok ? labels.value : undefined;
}

function podLabelPath(kind: string): string {
  return kind === "CronJob" ? "spec.jobTemplate.spec.template.metadata.labels" : "spec.template.metadata.labels";
}

/** The labels that a service selects pods by; undefined for one that selects none. */
export function selectorOf(service: Manifest): Readonly<Record<string, string>> | undefined {
  const selector = interpret("spec.selector", (path) => textMapAt(service, path) ?? {});
  return selector.ok && Object.keys(selector.value).length > 0 ? selector.value : undefined;
}

function selectsPods(service: Manifest, podLabels: Readonly<Record<string, string>>): boolean {
  const selector = selectorOf(service);
  if (selector === undefined) return false;
  return Object.entries(selector).every(([key, value]) => Object.hasOwn(podLabels, key) && podLabels[key] === value);
}

/** The names of the services that an ingress routes to, each once. */
export function backendsOf(ingress: Manifest): readonly string[] {
  const found = interpret(ingress, (object) => {
    const paths = objectsAt(object, "spec.rules").flatMap((rule) => objectsAt(rule, "http.paths"));
    const backends: readonly unknown[] = [
      valueAt(object, "spec.defaultBackend"),
      ...paths.map((path) => path["backend"]),
    ];
    const names = backends.map((backend) => textAt({ backend } as JsonObject, "backend.service.name"));
    return [...new Set(names.filter((name) => name !== ""))];
  });
  return found.ok ? found.value : [];
}
