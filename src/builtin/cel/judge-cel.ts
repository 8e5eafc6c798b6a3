import { byteLength } from "#base/byte-length.ts";
import { type CelType, operate, parametersOf } from "./cel-operators.ts";
import { type CelNode, parseCel } from "./parse-cel.ts";
import { requestStructs } from "./request-structs.ts";
import type { CelProblem } from "./scan-cel.ts";

/** What names stand for, by their type where it is known. */
export type CelNames = Readonly<Record<string, string | undefined>>;

/**
 * What keeps an expression from being asked for a yes or no: its form, names that nothing stands for, a result of another type. What
 * functions there are and what they take is not known here: of that nothing is said.
 */
export function celProblem(expression: string, names: CelNames): string | undefined {
  const parsed = parseCel(expression);
  if ("problems" in parsed) return compilationFailed(expression, parsed.problems);
  const judge = new Judge(names);
  const type = judge.typeOf(parsed.node, new Map());
  if (judge.problems.length > 0) return compilationFailed(expression, judge.problems);
  if (type === undefined || type === "bool") return undefined;
  return `must evaluate to bool but got ${type === "null" ? "null_type" : type}`;
}

/** As Kubernetes bounds them: every one shows its line. */
const maxTold = 100;
const maxShownBytes = 16_384;

function compilationFailed(expression: string, problems: readonly CelProblem[]): string {
  const told = problems.slice(0, maxTold).toSorted((a, b) => a.at - b.at);
  const shown = told.map((problem) => displayed(expression, problem));
  if (problems.length > maxTold) shown.push(`${problems.length - maxTold} more errors were truncated`);
  return `compilation failed: ${shown.join("\n")}`;
}

/** With its line, and a mark under the place. */
function displayed(expression: string, { at, message }: CelProblem): string {
  if (at < 0) return `ERROR: <input>:-1:0: ${message}`;
  const before = [...expression].slice(0, at).join("").split("\n");
  const column = [...(before.at(-1) ?? "")].length;
  const line = (expression.split("\n")[before.length - 1] ?? "").replaceAll("\t", " ");
  const where = `ERROR: <input>:${before.length}:${column + 1}: ${message}`;
  if (byteLength(line) > maxShownBytes) return where;
  const isWide = (character: string | undefined) => character !== undefined && character > "\u007f";
  const characters = [...line];
  const dots = characters.slice(0, column).map((character) => (isWide(character) ? "．" : "."));
  const mark = isWide(characters[column]) ? "＾" : "^";
  return `${where}\n | ${line}\n | ${dots.join("")}${mark}`;
}

/** Macros that name something for their last arguments: how many names they take. */
const binders: Readonly<Record<string, readonly number[]>> = {
  all: [1, 2],
  exists: [1, 2],
  exists_one: [1],
  existsOne: [1, 2],
  filter: [1],
  map: [1],
  transformList: [2],
  transformMap: [2],
  transformMapEntry: [2],
  optMap: [1],
  optFlatMap: [1],
};

/** Names before functions that belong to none of the values. */
const libraries: ReadonlySet<string> = new Set([
  ...["base64", "cel", "cidr", "format", "ip", "lists", "math", "optional", "regex", "sets", "strings", "semver"],
]);

const types: ReadonlySet<string> = new Set([
  ...["bool", "bytes", "double", "dyn", "google", "int", "list", "map", "null_type", "string", "type", "uint"],
]);

const results: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...["has", "all", "exists", "exists_one", "existsOne", "startsWith", "endsWith", "contains", "matches"],
      ...["hasValue", "bool", "isSorted", "isURL", "isIP", "isCIDR", "isQuantity", "isSemver", "allowed", "errored"],
    ].map((name) => [name, "bool"]),
  ),
  size: "int",
  int: "int",
  uint: "uint",
  double: "double",
  string: "string",
  bytes: "bytes",
};

/** The types of names that macros bind. */
type Bound = ReadonlyMap<string, CelType>;
type CelCall = CelNode & { sort: "call" };

class Judge {
  readonly problems: CelProblem[] = [];
  readonly #names: CelNames;

  constructor(names: CelNames) {
    this.#names = names;
  }

  /** The type of a part where it is known; what is wrong is noted. */
  typeOf(node: CelNode, bound: Bound): CelType {
    switch (node.sort) {
      case "literal":
        return node.type;
      case "name":
        return this.#typeOfName(node, bound);
      case "member":
        return this.#typeOfMember(node, bound);
      case "call":
        return this.#typeOfCall(node, bound);
      default: {
        const inner = node.parts.map((part) => this.typeOf(part, bound));
        if (node.sort === "message" || inner.includes(undefined)) return undefined;
        return node.sort === "list" ? `list(${same(inner)})` : `map(${keys(inner, 0)}, ${keys(inner, 1)})`;
      }
    }
  }

  #typeOfName({ name, at }: CelNode & { sort: "name" }, bound: Bound): CelType {
    if (bound.has(name)) return bound.get(name);
    if (Object.hasOwn(this.#names, name)) return this.#names[name];
    if (types.has(name)) return undefined;
    this.#note(at, `undeclared reference to '${name}' (in container '')`);
    return "dyn";
  }

  #typeOfMember({ target, name, at }: CelNode & { sort: "member" }, bound: Bound): CelType {
    const dotted = target.sort === "name" && !bound.has(target.name) ? `${target.name}.${name}` : "";
    if (Object.hasOwn(this.#names, dotted)) return this.#names[dotted];
    const type = this.typeOf(target, bound);
    if (type === undefined || type === "dyn") return type;
    if (type.startsWith("map(")) return parametersOf(type)[1];
    const fields = Object.hasOwn(requestStructs, type) ? requestStructs[type] : undefined;
    if (fields !== undefined && Object.hasOwn(fields, name)) return fields[name];
    if (fields !== undefined) this.#note(at, `undefined field '${name}'`);
    else if (scalars.has(type) || type.startsWith("list(")) {
      this.#note(at, `type '${type}' does not support field selection`);
    } else this.#note(at, `unexpected failed resolution of '${type}'`);
    return "dyn";
  }

  #typeOfCall(node: CelCall, bound: Bound): CelType {
    const { name, target, args, at } = node;
    const isLibrary = target?.sort === "name" && libraries.has(target.name) && !bound.has(target.name);
    const targetType = target === undefined || isLibrary ? undefined : this.typeOf(target, bound);
    const taken = isLibrary && name === "bind" ? args.slice(0, 1) : boundBy(node);
    const element = targetType === "dyn" ? "dyn" : parametersOf(targetType ?? "")[0];
    const inside = new Map(bound);
    for (const variable of taken) {
      if (variable.sort === "name") inside.set(variable.name, taken.length === 1 && !isLibrary ? element : undefined);
    }
    const rest = args.filter((argument) => !taken.includes(argument));
    const given = rest.map((part) => this.typeOf(part, inside));
    if (logical.has(name)) return this.#typeOfLogic(rest, given);
    if (target !== undefined && taken.length > 0) return macroType(name, targetType, given.at(-1));
    if (!isOperator(name) || target !== undefined) return results[name];
    if (given.includes(undefined)) return comparing.has(name) ? "bool" : undefined;
    const operation = operate(name, given as readonly string[]); // none is unknown
    if ("result" in operation) return operation.result;
    this.#note(at, `found no matching overload for '${printed[name] ?? name}' applied to '(${given.join(", ")})'`);
    return undefined;
  }

  #typeOfLogic(parts: readonly CelNode[], given: readonly CelType[]): CelType {
    parts.forEach((part, index) => {
      const type = given[index];
      if (type === undefined || type === "bool" || type === "dyn") return;
      this.#note(part.at, `expected type 'bool' but found '${type}'`);
    });
    return "bool";
  }

  #note(at: number, message: string): void {
    this.problems.push({ at, message });
  }
}

const scalars: ReadonlySet<string> = new Set(["bool", "bytes", "double", "int", "null", "string", "uint"]);
const logical: ReadonlySet<string> = new Set(["_&&_", "_||_"]);
const comparing: ReadonlySet<string> = new Set(["_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "_in_", "!_"]);
const printed: Readonly<Record<string, string>> = { _in_: "@in" };

function isOperator(name: string): boolean {
  return /^_.*_$|^[!-]_$|^_\[_\]$/.test(name) && !/^_[a-z]+_$/.test(name.replace("_in_", "_==_"));
}

function macroType(name: string, target: CelType, body: CelType): CelType {
  if (name === "map") return body === undefined ? undefined : `list(${body})`;
  if (name === "filter") return target === "dyn" ? "list(dyn)" : target?.startsWith("list(") ? target : undefined;
  return results[name];
}

function boundBy({ name, target, args }: CelCall): readonly CelNode[] {
  const counts = target === undefined || !Object.hasOwn(binders, name) ? [] : (binders[name] ?? []);
  const count = Math.max(0, ...counts.filter((each) => each < args.length));
  const first = args.slice(0, count);
  // `map(x, filter, value)` takes one name only
  return first.every((argument) => argument.sort === "name") ? first : args.slice(0, Math.min(1, count));
}

function same(list: readonly (string | undefined)[]): string {
  const [first] = list;
  return first !== undefined && list.every((type) => type === first) ? first : "dyn";
}

function keys(parts: readonly (string | undefined)[], side: number): string {
  return same(parts.filter((_, index) => index % 2 === side));
}
