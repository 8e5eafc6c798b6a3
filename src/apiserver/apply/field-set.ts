/**
 * Sets of field paths, kept in the form of FieldsV1 so that storing and reading them costs nothing.
 *
 * `{"f:data": {".": {}, "f:a": {}}}` holds `.data` and `.data.a`. A node that is empty or has the member `.` stands for
 * a path that belongs to the set; any other node only leads to such paths. The root itself is never a member: an empty
 * root is the empty set. Sets are never changed once they are made.
 */
import { isJsonObject } from "#base/json.ts";
import { comparePathElements, type PathElement, readPathElement } from "./path-element.ts";

export interface FieldSet {
  readonly [element: PathElement]: FieldSet;
}

type MutableSet = { [element: PathElement]: MutableSet };

export const emptySet: FieldSet = {};
const self = ".";

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether a node stands for a path of the set. */
export function isMember(node: FieldSet | undefined): boolean {
  return node !== undefined && (self in node || isEmptySet(node));
}

export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) node = node?.[element];
  return path.length > 0 && isMember(node);
}

/** Paths of either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a)) return b;
  if (isEmptySet(b)) return a;
  return unionChildren(a, b);
}

function unionChildren(a: FieldSet, b: FieldSet): FieldSet {
  const result: MutableSet = {};
  const left = Object.keys(a);
  const right = Object.keys(b);
  let i = 0;
  let j = 0;
  // Both are sorted; so is what comes of them.
  while (i < left.length || j < right.length) {
    const order = i >= left.length ? 1 : j >= right.length ? -1 : comparePathElements(left[i]!, right[j]!);
    const key = order <= 0 ? left[i++]! : right[j]!;
    if (order >= 0) j++;
    result[key] = (order === 0 ? unionNodes(a[key]!, b[key]!) : (order < 0 ? a : b)[key]!) as MutableSet;
  }
  return result;
}

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return withSelf(a, isEmptySet(b));
  if (isEmptySet(a)) return withSelf(b, true);
  return unionChildren(a, b);
}

function withSelf(node: FieldSet, isSelf: boolean): FieldSet {
  return !isSelf || self in node || isEmptySet(node) ? node : { [self]: {}, ...node };
}

/** Paths of `a` that are not in `b`. A path stays when only its parent is taken away. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, "paths");
}

/** Paths of `a` that are neither in `b` nor below a path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, "subtrees");
}

function subtract(a: FieldSet, b: FieldSet, what: "paths" | "subtrees"): FieldSet {
  let result: MutableSet | undefined;
  for (const key in b) {
    const node = a[key];
    if (key === self || node === undefined) continue;
    const rest = subtractNode(node, b[key]!, what);
    if (rest === node) continue;
    // Copied only where something goes: sets are shared.
    result ??= { ...(a as MutableSet) };
    if (rest === undefined) delete result[key];
    else result[key] = rest as MutableSet;
  }
  return result ?? a;
}

function subtractNode(node: FieldSet, other: FieldSet, what: "paths" | "subtrees"): FieldSet | undefined {
  const isGone = isMember(other);
  if (isGone && (what === "subtrees" || isEmptySet(node))) return undefined;
  const children = subtract(node, other, what);
  if (!isGone && (self in node || isEmptySet(node))) {
    // A node whose children all went is still a member, and then it is written as an empty one.
    return Object.keys(children).length === 1 && self in children ? emptySet : children;
  }
  if (isGone && self in children) {
    const { [self]: _, ...rest } = children;
    return isEmptySet(rest) ? undefined : rest;
  }
  return isEmptySet(children) ? undefined : children;
}

/** Paths of both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const result: MutableSet = {};
  for (const key in a) {
    const other = b[key];
    if (key === self || other === undefined) continue;
    const node = intersectNodes(a[key]!, other);
    if (node !== undefined) result[key] = node as MutableSet;
  }
  return result;
}

function intersectNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const children = intersection(a, b);
  if (isMember(a) && isMember(b)) return withSelf(children, true);
  return isEmptySet(children) ? undefined : children;
}

/** The paths one by one, parents first. */
export function pathsOf(set: FieldSet): readonly (readonly PathElement[])[] {
  const paths: (readonly PathElement[])[] = [];
  const visit = (node: FieldSet, prefix: readonly PathElement[]): void => {
    const elements = Object.keys(node).filter((element) => element !== self);
    for (const element of elements) if (isMember(node[element])) paths.push([...prefix, element]);
    for (const element of elements) visit(node[element]!, [...prefix, element]);
  };
  visit(set, []);
  return paths;
}

interface BuildNode {
  isMember: boolean;
  children: Map<PathElement, BuildNode> | undefined;
}

/** Collects paths; `build` gives the sorted set. */
export class FieldSetBuilder {
  readonly #root: BuildNode = { isMember: false, children: undefined };

  /** The path may be changed afterwards; the root is not a path. */
  insert(path: readonly PathElement[]): void {
    let node = this.#root;
    for (const element of path) {
      node.children ??= new Map();
      let child = node.children.get(element);
      if (child === undefined) {
        child = { isMember: false, children: undefined };
        node.children.set(element, child);
      }
      node = child;
    }
    node.isMember = true;
  }

  build(): FieldSet {
    return finished(this.#root.children, "root");
  }
}

function finished(children: Map<PathElement, BuildNode> | undefined, place: "root" | "member" | "between"): FieldSet {
  if (children === undefined) return emptySet;
  const result: MutableSet = place === "member" ? { [self]: emptySet as MutableSet } : {};
  for (const key of [...children.keys()].sort(comparePathElements)) {
    const child = children.get(key)!;
    result[key] = finished(child.children, child.isMember ? "member" : "between") as MutableSet;
  }
  return result;
}

/** A set as a client sent it, in canonical form; undefined when it is none. Steps of unknown kinds are left out. */
export function readFieldSet(fields: unknown): FieldSet | undefined {
  if (fields === undefined || fields === null) return emptySet;
  return isJsonObject(fields) ? (readNode(fields, 0) ?? emptySet) : undefined;
}

/** Deeper than any object that can be stored. */
const maxDepth = 128;

function readNode(fields: object, depth: number): FieldSet | undefined {
  if (depth > maxDepth) return undefined;
  const entries: [PathElement, FieldSet][] = [];
  for (const [text, child] of Object.entries(fields)) {
    const element = text === self ? self : readPathElement(text);
    if (element === undefined) continue;
    const node = element === self ? emptySet : readNode(isJsonObject(child) ? child : {}, depth + 1);
    if (node !== undefined) entries.push([element, node]);
  }
  entries.sort(([a], [b]) => comparePathElements(a, b));
  return entries.length === 1 && entries[0]![0] === self ? emptySet : Object.fromEntries(entries);
}
