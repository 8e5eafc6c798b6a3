import { matchesNamespace } from "./namespace-pattern.ts";
import type { CompiledPolicy } from "./policy-match.ts";
import { type CompiledSelector, tellingLabel } from "./resource-selector.ts";
import { SlotIndex } from "./slot-index.ts";
import { type Template, templateKey } from "./template.ts";

/**
 * All templates, found by policy: the cost of a question depends on the templates that the policy may be about. A prefix of
 * namespaces costs a look at each namespace that has templates of the kind.
 */
export class TemplateIndex {
  readonly #index: SlotIndex<Template>;
  readonly #namespaces: SlotIndex<string>;

  private constructor(index: SlotIndex<Template>, namespaces: SlotIndex<string>) {
    this.#index = index;
    this.#namespaces = namespaces;
  }

  static empty(): TemplateIndex {
    return new TemplateIndex(SlotIndex.empty(), SlotIndex.empty());
  }

  get size(): number {
    return this.#index.size;
  }

  /** Whether a template of this key is here. */
  has(key: string): boolean {
    return this.#index.has(key);
  }

  /** The index with this template in the place of its former self. */
  with(template: Template): TemplateIndex {
    const { namespace } = template;
    const index = this.#index.put(templateKey(template), { value: template, slots: slotsOf(template) });
    const type = typeText(template);
    const place = `${type}${namespace}`;
    if (namespace === undefined || this.#namespaces.get(place) !== undefined)
      return new TemplateIndex(index, this.#namespaces);
    return new TemplateIndex(index, this.#namespaces.put(place, { value: namespace, slots: [type] }));
  }

  /** The same for many, none of which is here yet. */
  withNew(templates: readonly Template[]): TemplateIndex {
    const added = new Map(
      templates.map((template) => [templateKey(template), { value: template, slots: slotsOf(template) }]),
    );
    const namespaces = new Map<string, { value: string; slots: readonly string[] }>();
    for (const template of templates) {
      const { namespace } = template;
      const type = typeText(template);
      const key = `${type}${namespace}`;
      if (namespace !== undefined && this.#namespaces.get(key) === undefined)
        namespaces.set(key, { value: namespace, slots: [type] });
    }
    return new TemplateIndex(this.#index.putNew(added), this.#namespaces.putNew(namespaces));
  }

  without(template: Template): TemplateIndex {
    const index = this.#index.delete(templateKey(template));
    const type = typeText(template);
    const { namespace } = template;
    if (namespace === undefined || index.hasSlot(namespaceSlot(type, namespace)))
      return new TemplateIndex(index, this.#namespaces);
    return new TemplateIndex(index, this.#namespaces.delete(`${type}${namespace}`));
  }

  /** Every template that the policy may mean, and few others. Ask matchSelectors about each. */
  candidatesFor({ policy, selectors }: CompiledPolicy): readonly Template[] {
    const found = new Map<string, Template>();
    const home = policy.metadata.namespace;
    for (const selector of selectors) {
      for (const template of this.#meantBy(selector, home)) {
        if (home === undefined || template.namespace === home) found.set(templateKey(template), template);
      }
    }
    return [...found.values()];
  }

  *#meantBy(selector: CompiledSelector, home: string | undefined): Generator<Template> {
    const { apiVersion, kind, name } = selector;
    const within = namespacesOf(selector, home);
    if (within === undefined || name === undefined) {
      for (const slot of this.#slotsFor(selector, within)) yield* this.#index.in(slot);
      return;
    }
    for (const namespace of within) {
      const template = this.#index.get(templateKey({ apiVersion, kind, namespace, name }));
      if (template !== undefined) yield template;
    }
  }

  #slotsFor(selector: CompiledSelector, within: readonly string[] | undefined): readonly string[] {
    const { name, namespaces } = selector;
    const type = typeText(selector);
    const label = tellingLabel(selector);
    const labelled = label === undefined ? undefined : `${type}label ${label}`;
    if (within !== undefined) {
      const slots = within.map((namespace) => namespaceSlot(type, namespace));
      const inNamespaces = slots.reduce((sum, slot) => sum + this.#index.sizeOf(slot), 0);
      return labelled !== undefined && this.#index.sizeOf(labelled) < inNamespaces ? [labelled] : slots;
    }
    if (name !== undefined) return [`${type}name ${name}`];
    if (labelled !== undefined) return [labelled];
    if (typeof namespaces === "string") return [type];
    const meant = [...this.#namespaces.in(type)].filter((namespace) => matchesNamespace(namespaces, namespace));
    return meant.map((namespace) => namespaceSlot(type, namespace));
  }
}

/** The namespaces that a selector names one by one; undefined when it has others. */
function namespacesOf({ namespaces }: CompiledSelector, home: string | undefined): readonly string[] | undefined {
  if (namespaces === "none") return [];
  if (home !== undefined) return [home];
  return namespaces === "any" || namespaces.prefixes.length > 0 ? undefined : [...namespaces.names];
}

function namespaceSlot(type: string, namespace: string): string {
  return `${type}${namespace}/`;
}

function slotsOf(template: Template): readonly string[] {
  const type = typeText(template);
  const { namespace, name, labels = {} } = template;
  return [
    type,
    `${type}name ${name}`,
    ...(namespace === undefined ? [] : [namespaceSlot(type, namespace)]),
    ...Object.entries(labels).map(([key, value]) => `${type}label ${key}=${value}`),
  ];
}

function typeText({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string {
  return `${apiVersion} ${kind} `;
}
