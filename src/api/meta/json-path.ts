import { isJsonObject, jsonEquals, member } from "#base/json.ts";

/** A compiled path: the values it finds in an object, in order; none where the path leads nowhere. */
export type JsonPath = (root: unknown) => readonly unknown[];

/**
 * Compiles the part of Kubernetes' JSONPath that printer columns and scale subresources use: `.a.b`, `['a']`, `[0]`,
 * `[-1]`, `[*]`, `.*`, `[?(@.type=="Ready")].status`, and `\.` for a dot in a name.
 * Returns undefined for anything else.
 */
export function compileJsonPath(text: string): JsonPath | undefined {
  const steps = parseSteps(text);
  if (steps === undefined) return undefined;
  return (root) => steps.reduce<readonly unknown[]>((values, step) => values.flatMap(step), [root]);
}

type Step = (value: unknown) => readonly unknown[];

const patterns: readonly (readonly [RegExp, (match: RegExpExecArray) => Step | undefined])[] = [
  [/\.?\*/y, () => all],
  [/\.((?:[^.[\]\\]|\\.)+)/y, ([, name = ""]) => named(name.replaceAll(/\\(.)/g, "$1"))],
  [/\['((?:[^'\\]|\\.)*)'\]/y, ([, name = ""]) => named(name.replaceAll(/\\(.)/g, "$1"))],
  [/\["((?:[^"\\]|\\.)*)"\]/y, ([, name = ""]) => named(name.replaceAll(/\\(.)/g, "$1"))],
  [/\[(-?[0-9]{1,9})\]/y, ([, index = ""]) => placed(Number(index))],
  [/\[\*\]/y, () => all],
  [
    /\[\?\(\s*@((?:\.(?:[^.[\]\\()=!<>\s]|\\.)+)+)\s*(==|!=|<=|>=|<|>)\s*("[^"]*"|'[^']*'|[^)\s]+)\s*\)\]/y,
    ([, path = "", operator = "", literal = ""]) => filtered(path, operator, literalOf(literal)),
  ],
  [/\[\?\(\s*@((?:\.(?:[^.[\]\\()=!<>\s]|\\.)+)+)\s*\)\]/y, ([, path = ""]) => present(path)],
];

function parseSteps(text: string): Step[] | undefined {
  const source = text.startsWith("$") ? text.slice(1) : text;
  const whole = source === "" || /^[.[]/.test(source) ? source : `.${source}`;
  const steps: Step[] = [];
  let at = 0;
  while (at < whole.length) {
    const found = firstMatch(whole, at);
    if (found === undefined) return undefined;
    steps.push(found.step);
    at = found.end;
  }
  return steps;
}

function firstMatch(text: string, at: number): { step: Step; end: number } | undefined {
  for (const [pattern, make] of patterns) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const step = match === null ? undefined : make(match);
    if (step !== undefined) return { step, end: pattern.lastIndex };
  }
  return undefined;
}

function named(name: string): Step {
  return (value) => {
    const found = isJsonObject(value) ? member(value, name) : undefined;
    return found === undefined ? [] : [found];
  };
}

function placed(index: number): Step {
  return (value) => {
    const found = Array.isArray(value) ? value.at(index) : undefined;
    return found === undefined ? [] : [found];
  };
}

function all(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

function filtered(path: string, operator: string, literal: unknown): Step | undefined {
  const read = compileJsonPath(path);
  if (read === undefined) return undefined;
  return (value) => items(value).filter((item) => read(item).some((found) => holds(found, operator, literal)));
}

function present(path: string): Step | undefined {
  const read = compileJsonPath(path);
  return read === undefined ? undefined : (value) => items(value).filter((item) => read(item).length > 0);
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function literalOf(text: string): unknown {
  if (/^["']/.test(text)) return text.slice(1, -1);
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

function holds(found: unknown, operator: string, literal: unknown): boolean {
  if (operator === "==") return jsonEquals(found, literal);
  if (operator === "!=") return !jsonEquals(found, literal);
  const comparable = typeof found === typeof literal && (typeof found === "number" || typeof found === "string");
  if (!comparable) return false;
  const order = (found as string) < (literal as string) ? -1 : (found as string) > (literal as string) ? 1 : 0;
  return operator === "<" ? order < 0 : operator === "<=" ? order <= 0 : operator === ">" ? order > 0 : order >= 0;
}
