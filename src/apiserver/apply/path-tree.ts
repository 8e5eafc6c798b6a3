import { type FieldSet, isEmptySet } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";

/** A set of paths, laid out for looking up fields by their bare names. */
export interface PathTree {
  /** Whether the path that leads here belongs to the set. */
  readonly isMember: boolean;
  readonly fields: ReadonlyMap<string, PathTree>;
  /** Elements of lists. */
  readonly elements: ReadonlyMap<PathElement, PathTree>;
}

/** What nearly all nodes are. */
const leaf: PathTree = { isMember: true, fields: new Map(), elements: new Map() };

/** The very text by which V8 knows members of this name: what is looked up by one that a walk has met is found without comparing. */
function asMemberName(name: string): string {
  return Object.keys({ [name]: true })[0]!; // there is one
}

export function pathTree(set: FieldSet): PathTree {
  if (isEmptySet(set)) return leaf;
  const isMember = Object.hasOwn(set, ".");
  const fields = new Map<string, PathTree>();
  const elements = new Map<PathElement, PathTree>();
  for (const element in set) {
    if (element === ".") continue;
    const child = pathTree(set[element]!);
    if (element.startsWith("f:")) fields.set(asMemberName(element.slice(2)), child);
    else elements.set(element, child);
  }
  return { isMember, fields, elements };
}
