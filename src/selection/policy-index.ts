import type { Policy } from "#api/policy/propagation-policy.ts";
import { isInReach } from "./choose-claimant.ts";
import { type CompiledPolicy, compilePolicy } from "./policy-match.ts";
import { type CompiledSelector, tellingLabel } from "./resource-selector.ts";
import { SlotIndex } from "./slot-index.ts";
import type { Template } from "./template.ts";

/**
 * All policies, found by template: the cost of a question depends on the policies that may be about the template, not on how many
 * there are.
 *
 * Each selector stands in one slot for each of its namespaces (a name, a prefix, or any): type, namespace, and the one thing
 * that tells most templates apart, which is its name, else its first label with one value, else nothing.
 */
export class PolicyIndex {
  readonly #index: SlotIndex<CompiledPolicy>;

  private constructor(index: SlotIndex<CompiledPolicy>) {
    this.#index = index;
  }

  static empty(): PolicyIndex {
    return new PolicyIndex(SlotIndex.empty());
  }

  get size(): number {
    return this.#index.size;
  }

  get(policy: PolicyKey): CompiledPolicy | undefined {
    return this.#index.get(keyText(policy));
  }

  /** The index with this policy in the place of its former self. */
  with(policy: Policy): PolicyIndex {
    const value = compilePolicy(policy);
    return new PolicyIndex(this.#index.put(keyText(policy.metadata), { value, slots: slotsOf(value) }));
  }

  without(policy: PolicyKey): PolicyIndex {
    return new PolicyIndex(this.#index.delete(keyText(policy)));
  }

  /** Every policy that may mean the template, and few others. Ask chooseClaimant which one claims it. */
  candidatesFor(template: Template): readonly CompiledPolicy[] {
    if (this.#index.size === 0) return [];
    const found = new Set<CompiledPolicy>();
    const prefixed = this.#index.hasSlot(slotText(template, prefixMark));
    let marks: readonly string[] | undefined;
    for (const place of placesOf(template, { prefixed })) {
      const slot = slotText(template, place);
      if (!this.#index.hasSlot(slot)) continue;
      marks ??= marksOf(template);
      for (const mark of marks) for (const policy of this.#index.in(`${slot}${mark}`)) found.add(policy);
    }
    return [...found].filter(({ policy }) => isInReach(policy, template));
  }
}

/** How a policy is addressed. */
export interface PolicyKey {
  readonly namespace?: string;
  readonly name: string;
}

function keyText({ namespace = "", name }: PolicyKey): string {
  return `${namespace}/${name}`;
}

function slotsOf({ policy, selectors }: CompiledPolicy): readonly string[] {
  const slots = new Set<string>();
  for (const selector of selectors) {
    if (hasPrefixes(selector)) slots.add(slotText(selector, prefixMark));
    for (const place of selectedPlaces(selector, policy.metadata.namespace)) {
      const slot = slotText(selector, place);
      slots.add(slot);
      slots.add(`${slot}${markOf(selector)}`);
    }
  }
  return [...slots];
}

function slotText({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }, place: string): string {
  return `${apiVersion} ${kind} ${place} `;
}

/** Stands in the place of a namespace where some selector of the type has prefixes; without it none need be tried. */
const prefixMark = "{prefix}*";

function hasPrefixes({ namespaces }: CompiledSelector): boolean {
  return typeof namespaces !== "string" && namespaces.prefixes.length > 0;
}

/** Where a selector looks. A policy of a namespace looks nowhere else, whatever its selectors say. */
function selectedPlaces({ namespaces }: CompiledSelector, home: string | undefined): readonly string[] {
  if (namespaces === "none") return [];
  if (namespaces === "any") return [home === undefined ? "*" : inNamespace(home)];
  if (home !== undefined) return [inNamespace(home)];
  return [...[...namespaces.names].map(inNamespace), ...namespaces.prefixes.map((prefix) => `${prefix}*`)];
}

function placesOf({ namespace }: Template, { prefixed }: { readonly prefixed: boolean }): readonly string[] {
  if (namespace === undefined) return ["*"];
  const places = ["*", inNamespace(namespace)];
  if (prefixed)
    for (let length = 1; length <= namespace.length; length++) places.push(`${namespace.slice(0, length)}*`);
  return places;
}

function inNamespace(namespace: string): string {
  return `${namespace}/`;
}

/** What tells the selector's templates from most others. */
function markOf(selector: CompiledSelector): string {
  if (selector.name !== undefined) return nameMark(selector.name);
  const label = tellingLabel(selector);
  return label === undefined ? "all" : labelMark(label);
}

function marksOf({ name, labels = {} }: Template): readonly string[] {
  return [nameMark(name), "all", ...Object.entries(labels).map(([key, value]) => labelMark(`${key}=${value}`))];
}

function nameMark(name: string): string {
  return `name ${name}`;
}

function labelMark(label: string): string {
  return `label ${label}`;
}
