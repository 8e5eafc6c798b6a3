import { dnsLabelErrors } from "#api/meta/names.ts";

/** Which namespaces a selector is about. */
export interface NamespacePattern {
  /** Whole names. */
  readonly names: ReadonlySet<string>;
  /** What a name may begin with. */
  readonly prefixes: readonly string[];
}

/** The legal forms, for messages. */
export const namespacePatternForms =
  "must be a namespace, a {prefix}* such as team-*, or a comma list of these such as team-a,team-b-*";

/** Reads a comma list of names and `{prefix}*`; a sentence where it is not one. Blanks around items do not count. */
export function parseNamespacePattern(text: string): NamespacePattern | { readonly problem: string } {
  const names = new Set<string>();
  const prefixes = new Set<string>();
  for (const item of text.split(",").map((each) => each.trim())) {
    const problem = itemProblem(item);
    if (problem !== undefined) return { problem: `${problem}: ${namespacePatternForms}` };
    if (item.endsWith("*")) prefixes.add(item.slice(0, -1));
    else names.add(item);
  }
  return { names, prefixes: [...prefixes].toSorted() };
}

/** Whether a namespace is meant. What has no namespace never is. */
export function matchesNamespace({ names, prefixes }: NamespacePattern, namespace: string): boolean {
  return names.has(namespace) || prefixes.some((prefix) => namespace.startsWith(prefix));
}

function itemProblem(item: string): string | undefined {
  if (item === "") return "an item is empty";
  if (item === "*") return "a bare * would mean every namespace";
  if (!item.endsWith("*")) {
    return dnsLabelErrors(item).length === 0 ? undefined : `${JSON.stringify(item)} is not a namespace`;
  }
  // a prefix may end in a dash, which a whole name may not
  const prefix = item.slice(0, -1);
  return dnsLabelErrors(`${prefix}a`).length === 0 || (prefix.length === 63 && dnsLabelErrors(prefix).length === 0)
    ? undefined
    : `${JSON.stringify(item)} is not a prefix followed by *`;
}
