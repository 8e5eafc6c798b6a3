import type { Manifest } from "#api/meta/manifest.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { jsonEquals } from "#base/json.ts";
import type { Dependency } from "#interpreter/dependencies.ts";
import { backendsOf, dependentsOf, selectorOf } from "#interpreter/dependents.ts";
import { SlotIndex } from "#selection/slot-index.ts";

type Labels = Readonly<Record<string, string>>;

/** The pods that a binding's template makes. */
interface Workload {
  readonly key: string;
  readonly namespace: string;
  readonly podLabels: Labels;
}

/** What happened to a Service or an Ingress. */
interface ObjectChange {
  readonly before: ApiObject | undefined;
  readonly after: ApiObject | undefined;
}

const serviceType = "v1 Service";
const ingressType = "networking.k8s.io/v1 Ingress";

/**
 * Services by what they select, Ingresses by where they route to, and the workloads that want them to follow by their pods' labels: each
 * finds the others without a look at the rest.
 */
export class DependentsIndex {
  #services = SlotIndex.empty<ApiObject>();
  #ingresses = SlotIndex.empty<ApiObject>();
  #workloads = SlotIndex.empty<Workload>();

  /** The same state, to be changed apart. */
  fork(): DependentsIndex {
    const fork = new DependentsIndex();
    fork.#services = this.#services;
    fork.#ingresses = this.#ingresses;
    fork.#workloads = this.#workloads;
    return fork;
  }

  /** What follows pods with these labels, from now on also when it appears or changes. Undefined: nothing does any more. */
  follow(key: string, pods: Omit<Workload, "key"> | undefined): readonly Dependency[] {
    if (pods === undefined) {
      this.#workloads = this.#workloads.delete(key);
      return [];
    }
    const slots = pairsOf(pods.podLabels).map((pair) => `${pods.namespace} ${pair}`);
    if (!jsonEquals(this.#workloads.get(key), { key, ...pods }))
      this.#workloads = this.#workloads.put(key, { value: { key, ...pods }, slots });
    const services = slots.flatMap((slot) => [...this.#services.in(slot)]).map(asManifest);
    const selecting = dependentsOf(pods.podLabels, { services, ingresses: [] });
    const ingresses = selecting.flatMap(({ object }) => [
      ...this.#ingresses.in(`${pods.namespace}/${object.metadata.name}`),
    ]);
    const all = dependentsOf(pods.podLabels, { services, ingresses: [...new Set(ingresses)].map(asManifest) });
    return all.map(({ object }) => referenceTo(object));
  }

  /** Takes note of a change; returns the keys of the workloads that it concerns. */
  accept({ before, after }: ObjectChange): readonly string[] {
    const { apiVersion, kind } = (after ?? before)!;
    const type = `${apiVersion} ${kind}`;
    if (type === serviceType) return this.#acceptService({ before, after });
    return type === ingressType ? this.#acceptIngress({ before, after }) : [];
  }

  #acceptService({ before, after }: ObjectChange): readonly string[] {
    const [old, now] = [before && selectorOf(asManifest(before)), after && selectorOf(asManifest(after))];
    const { namespace = "", name } = (after ?? before)!.metadata;
    const key = `${namespace}/${name}`;
    const pair = pairsOf(now ?? {})[0];
    this.#services =
      after === undefined || pair === undefined
        ? this.#services.delete(key)
        : this.#services.put(key, { value: after, slots: [`${namespace} ${pair}`] });
    if (jsonEquals(old, now)) return [];
    return [...new Set([...this.#selected(namespace, old), ...this.#selected(namespace, now)])];
  }

  #acceptIngress({ before, after }: ObjectChange): readonly string[] {
    const [old, now] = [before && backendsOf(asManifest(before)), after && backendsOf(asManifest(after))];
    const { namespace = "", name } = (after ?? before)!.metadata;
    const key = `${namespace}/${name}`;
    this.#ingresses =
      after === undefined
        ? this.#ingresses.delete(key)
        : this.#ingresses.put(key, { value: after, slots: (now ?? []).map((service) => `${namespace}/${service}`) });
    if (jsonEquals(old, now)) return [];
    const services = new Set([...(old ?? []), ...(now ?? [])]);
    const concerned = [...services].flatMap((service) => {
      const known = this.#services.get(`${namespace}/${service}`);
      return known === undefined ? [] : this.#selected(namespace, selectorOf(asManifest(known)));
    });
    return [...new Set(concerned)];
  }

  /** The workloads whose pods a selector selects; one that selects by nothing selects none. */
  #selected(namespace: string, selector: Labels | undefined): readonly string[] {
    const [pair] = pairsOf(selector ?? {});
    if (pair === undefined) return [];
    return [...this.#workloads.in(`${namespace} ${pair}`)]
      .filter(({ podLabels }) => Object.entries(selector!).every(([key, value]) => podLabels[key] === value))
      .map(({ key }) => key);
  }
}

function pairsOf(labels: Labels): readonly string[] {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .toSorted();
}

function referenceTo({ apiVersion, kind, metadata }: Manifest): Dependency {
  const { namespace, name } = metadata;
  return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** An object with its identity. */
function asManifest(object: ApiObject): Manifest {
  return object as unknown as Manifest;
}
