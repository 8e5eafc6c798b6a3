import { fnv1a32 } from "#base/fnv1a.ts";
import { safeAlphabet } from "#base/random.ts";
import { dependedByLabelPrefix } from "./binding-keys.ts";

/** What a derived name is made of. */
export interface NamedObject {
  readonly kind: string;
  readonly name: string;
  /** Absent or empty for a cluster-scoped object. */
  readonly namespace?: string | undefined;
}

/** The name of a template's binding; two kinds of the same name in different groups share it, as in Karmada. */
export function bindingNameOf({ kind, name }: NamedObject): string {
  return lowerCase(`${withoutColons(name)}-${kind}`);
}

/** The name of the work that carries a manifest. */
export function workNameOf({ kind, name, namespace = "" }: NamedObject): string {
  const readable = lowerCase(withoutColons(name));
  const key = namespace === "" ? `${readable}-${kind}` : `${namespace}-${readable}-${kind}`;
  return `${readable}-${safeHash(lowerCase(key))}`;
}

/** Short for `namespace/name` of a binding, fit for a label key. */
export function bindingReferenceKey({ namespace = "", name }: Omit<NamedObject, "kind">): string {
  return safeHash(namespace === "" ? name : `${namespace}/${name}`);
}

/** The label that says on an attached binding which binding it follows. */
export function dependedByLabelOf(binding: Omit<NamedObject, "kind">): string {
  return `${dependedByLabelPrefix}${bindingReferenceKey(binding)}`;
}

/** The service that stands for an imported one. */
export function derivedServiceName(service: string): string {
  return `derived-${service}`;
}

/** An endpoint slice as other clusters see it. */
export function importedEndpointSliceName(cluster: string, endpointSlice: string): string {
  return `imported-${cluster}-${endpointSlice}`;
}

/** A hash that spells no word: the decimal FNV-1a, each digit written in the safe alphabet. */
function safeHash(text: string): string {
  const digits = String(fnv1a32(text));
  let safe = "";
  for (let index = 0; index < digits.length; index++)
    safe += safeAlphabet[digits.charCodeAt(index) % safeAlphabet.length];
  return safe;
}

function withoutColons(name: string): string {
  return name.includes(":") ? name.replaceAll(":", ".") : name;
}

const isAscii = /^[!-~]*$/;

/** Character by character, as Go does: no final sigma, no second character for a dotted capital I. */
function lowerCase(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase(); // what names are, and names are derived very often
  return Array.from(text, (character) => (character === "İ" ? "i" : character.toLowerCase())).join("");
}
