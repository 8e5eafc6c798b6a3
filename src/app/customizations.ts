import type { ResourceInterpreterCustomization } from "#api/config/resource-interpreter-customization.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Binding } from "#api/work/resource-binding.ts";
import type { Work } from "#api/work/work.ts";
import { compareBytes } from "#base/byte-order.ts";
import { isJsonObject, jsonEquals, member } from "#base/json.ts";
import { bindingKey } from "#controllers/binding-informers.ts";
import type { TemplateCatalog } from "#controllers/detector/template-catalog.ts";
import type { Operation, ScriptSource } from "#lua/customized-interpreter.ts";
import type { Watch } from "#runtime/controller.ts";
import type { Informer } from "#runtime/informer.ts";

/** The scripts of all customizations, as they are now. Where two say the same of a kind, the first by name counts. */
export class Customizations implements ScriptSource {
  readonly #informer: Informer<ApiObject>;
  /** By `apiVersion kind`; made anew by the first question after a change. */
  #byKind: ReadonlyMap<string, readonly ResourceInterpreterCustomization[]> | undefined;

  constructor(informer: Informer<ApiObject>) {
    this.#informer = informer;
    informer.subscribe(() => {
      this.#byKind = undefined;
    });
  }

  pending(): Promise<void> | undefined {
    return this.#informer.synced ? undefined : this.#informer.whenSynced();
  }

  scriptsFor(object: { readonly apiVersion: string; readonly kind: string }, operation: Operation): readonly string[] {
    this.#byKind ??= byKind([...this.#informer.all()] as unknown as ResourceInterpreterCustomization[]); // the informer's kind
    if (this.#byKind.size === 0) return [];
    const about = this.#byKind.get(`${object.apiVersion} ${object.kind}`) ?? [];
    return about
      .flatMap(({ spec }) => spec.customizations[operation]?.luaScript ?? [])
      .filter((script) => script !== "");
  }

  /** Calls back with the `apiVersion kind` whose meaning has changed. */
  subscribe(listener: (type: string) => void): () => void {
    return this.#informer.subscribe(({ before, after }) => {
      if (!this.#informer.synced) return; // who asks before that is answered after it
      if (jsonEquals(before?.["spec"], after?.["spec"])) return;
      const types = [before, after].flatMap((each) => (each === undefined ? [] : [typeOf(each)]));
      for (const type of new Set(types)) listener(type);
    });
  }
}

/** Templates of a kind whose meaning has changed. */
export function watchMeaningOfTemplates(customizations: Customizations, templates: TemplateCatalog): Watch {
  return (enqueue) =>
    customizations.subscribe((type) => {
      for (const key of templates.ofType(type)) enqueue(key, "background");
    });
}

/** Bindings of templates of such a kind. */
export function watchMeaningOfBindings(
  customizations: Customizations,
  bindings: readonly Informer<ApiObject>[],
): Watch {
  return (enqueue) =>
    customizations.subscribe((type) => {
      for (const binding of bindings.flatMap((each) => [...each.all()]) as unknown as Binding[]) {
        const { apiVersion, kind } = binding.spec.resource;
        if (`${apiVersion} ${kind}` === type) enqueue(bindingKey(binding), "background");
      }
    });
}

/** Works of one execution namespace that carry such a kind. */
export function watchMeaningOfWorks(
  customizations: Customizations,
  { works, namespace }: { readonly works: Informer<ApiObject>; readonly namespace: string },
): Watch {
  return (enqueue) =>
    customizations.subscribe((type) => {
      for (const work of works.byIndex("namespace", namespace)) {
        const { spec } = work as unknown as Work; // the informer's kind
        const carried = (spec.workload?.manifests ?? []).filter(isJsonObject);
        if (carried.some((each) => `${member(each, "apiVersion")} ${member(each, "kind")}` === type))
          enqueue(work.metadata.name, "background");
      }
    });
}

function typeOf(customization: ApiObject): string {
  const { apiVersion, kind } = (customization as unknown as ResourceInterpreterCustomization).spec.target; // the informer's kind
  return `${apiVersion} ${kind}`;
}

function byKind(customizations: readonly ResourceInterpreterCustomization[]) {
  const sorted = customizations.toSorted((a, b) => compareBytes(a.metadata.name, b.metadata.name));
  const found = new Map<string, ResourceInterpreterCustomization[]>();
  for (const each of sorted) {
    const type = `${each.spec.target.apiVersion} ${each.spec.target.kind}`;
    found.set(type, [...(found.get(type) ?? []), each]);
  }
  return found;
}
