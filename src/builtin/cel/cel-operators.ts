/** A type as messages print it; unknown where it is undefined. */
export type CelType = string | undefined;

/** What an operator makes of operands; `wrong` where it takes none of their types. */
export type Operation = { readonly result: CelType } | { readonly wrong: true };

const wrong: Operation = { wrong: true };
const numbers = ["int", "uint", "double"];
const ordered = ["bool", ...numbers, "string", "bytes"];
const sums = [...numbers, "string", "bytes"];
const plain: ReadonlySet<string> = new Set([...ordered, "null"]);

/** What an operator makes of operands whose types are all known. */
export function operate(name: string, given: readonly string[]): Operation {
  const [a = "dyn", b = "dyn", c = "dyn"] = given;
  switch (name) {
    case "!_":
      return unify(a, "bool") ? { result: "bool" } : wrong;
    case "-_":
      return numeric([a], ["int", "double"]);
    case "_?_:_":
      return unify(a, "bool") && unify(b, c) ? { result: b === "dyn" || c === "dyn" ? "dyn" : joined(b, c) } : wrong;
    case "_==_":
    case "_!=_":
      return unify(a, b) ? { result: "bool" } : wrong;
    case "_in_":
      return holds(b, a) ? { result: "bool" } : wrong;
    case "_[_]":
      return indexed(a, b);
    case "_+_":
      return isList(a) || isList(b) ? together(a, b) : numeric([a, b], sums);
    case "_-_":
    case "_*_":
    case "_/_":
      return numeric([a, b], numbers);
    case "_%_":
      return numeric([a, b], ["int", "uint"]);
    default:
      return isComparable(a, b) ? { result: "bool" } : wrong;
  }
}

/** Whether values of two types can be the same. */
function unify(a: string, b: string): boolean {
  if (a === "dyn" || b === "dyn" || a === b) return true;
  const [inA, inB] = [parametersOf(a), parametersOf(b)];
  if (inA.length > 0 && inA.length === inB.length) return inA.every((type, index) => unify(type, inB[index] ?? "dyn"));
  return (a === "null" && isObject(b)) || (b === "null" && isObject(a));
}

function isObject(type: string): boolean {
  return !plain.has(type) && parametersOf(type).length === 0;
}

/** The types in a list or a map. */
export function parametersOf(type: string): readonly string[] {
  const [, inside] = /^(?:list|map)\((.*)\)$/.exec(type) ?? [];
  if (inside === undefined) return [];
  let depth = 0;
  for (let place = 0; place < inside.length; place++) {
    const character = inside[place];
    if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (character === "," && depth === 0) return [inside.slice(0, place), inside.slice(place + 1).trim()];
  }
  return [inside];
}

function isList(type: string): boolean {
  return type.startsWith("list(");
}

function joined(a: string, b: string): CelType {
  return a === b ? a : undefined;
}

/** Operands of one type; what may be anything is taken for it. */
function numeric(given: readonly string[], allowed: readonly string[]): Operation {
  const known = given.filter((type) => type !== "dyn");
  const [first] = known;
  if (first === undefined) return { result: "dyn" };
  return known.every((type) => type === first) && allowed.includes(first) ? { result: first } : wrong;
}

function together(a: string, b: string): Operation {
  if (!unify(a, b)) return wrong;
  return { result: a === "dyn" ? b : a };
}

function isComparable(a: string, b: string): boolean {
  const known = [a, b].filter((type) => type !== "dyn");
  if (!known.every((type) => ordered.includes(type))) return false;
  return known.length < 2 || a === b || (numbers.includes(a) && numbers.includes(b));
}

function holds(container: string, item: string): boolean {
  if (container === "dyn") return true;
  const [element] = parametersOf(container);
  return element !== undefined && unify(element, item);
}

function indexed(container: string, key: string): Operation {
  if (container === "dyn") return { result: "dyn" };
  const [first, second] = parametersOf(container);
  if (first === undefined) return wrong;
  if (second !== undefined) return unify(first, key) ? { result: second } : wrong;
  return unify("int", key) ? { result: first } : wrong;
}
