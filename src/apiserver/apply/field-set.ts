/**
 * Sets of field paths, kept in the form of FieldsV1 so that storing and reading them costs nothing.
 *
 * `{"f:data": {".": {}, "f:a": {}}}` holds `.data` and `.data.a`. A node that is empty or has the member `.` stands for
 * a path that belongs to the set; any other node only leads to such paths. The root itself is never a member: an empty
 * root is the empty set. Sets are never changed once they are made.
 */
import { isJsonObject } from "#base/json.ts";
import { sortFew } from "#base/sort-few.ts";
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

/** Two nodes of one path as one. */
export function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return withSelf(a, isEmptySet(b));
  if (isEmptySet(a)) return withSelf(b, true);
  return unionChildren(a, b);
}

/** The node with its own path a member if asked. */
export function withSelf(node: FieldSet, isSelf: boolean): FieldSet {
  return !isSelf || self in node || isEmptySet(node) ? node : { [self]: {}, ...node };
}

/** Paths of `a` that are not in `b`. A path stays when only its parent is taken away. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, paths);
}

/** Paths of `a` that are neither in `b` nor below a path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, subtrees);
}

interface Reach {
  /** Whether what lies below a path goes with it. */
  readonly isDeep: boolean;
}

const paths: Reach = { isDeep: false };
const subtrees: Reach = { isDeep: true };

function subtract(a: FieldSet, b: FieldSet, reach: Reach): FieldSet {
  let result: MutableSet | undefined;
  for (const key in b) {
    const node = a[key];
    if (key === self || node === undefined) continue;
    const rest = subtractNode(node, b[key]!, reach);
    if (rest === node) continue;
    // Copied only where something goes: sets are shared.
    result ??= { ...(a as MutableSet) };
    if (rest === undefined) delete result[key];
    else result[key] = rest as MutableSet;
  }
  return result ?? a;
}

function subtractNode(node: FieldSet, other: FieldSet, reach: Reach): FieldSet | undefined {
  const isGone = isMember(other);
  if (isGone && (reach.isDeep || isEmptySet(node))) return undefined;
  const children = subtract(node, other, reach);
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

/** Collects the children of one node; `build` sorts them. */
export class NodeBuilder {
  readonly #elements: PathElement[] = [];
  readonly #children: FieldSet[] = [];
  #isSorted = true;

  get isEmpty(): boolean {
    return this.#elements.length === 0;
  }

  add(element: PathElement, child: FieldSet): void {
    const { length } = this.#elements;
    if (length > 0 && this.#isSorted) this.#isSorted = comparePathElements(this.#elements[length - 1]!, element) < 0;
    this.#elements.push(element);
    this.#children.push(child);
  }

  /** The node; `member` when its own path belongs to the set. */
  build(place: "member" | "between"): FieldSet {
    const { length } = this.#elements;
    if (length === 0) return emptySet;
    const node: MutableSet = place === "member" ? { [self]: emptySet as MutableSet } : {};
    if (this.#isSorted) for (let at = 0; at < length; at++) this.#put(node, at);
    else for (const at of this.#order()) this.#put(node, at);
    return node;
  }

  #put(node: MutableSet, at: number): void {
    node[this.#elements[at]!] = this.#children[at] as MutableSet;
  }

  #order(): readonly number[] {
    const elements = this.#elements;
    return sortFew([...elements.keys()], (a, b) => comparePathElements(elements[a]!, elements[b]!));
  }
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
