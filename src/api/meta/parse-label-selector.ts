import { fieldErrorMessage, invalid } from "#base/field-error.ts";
import {
  type LabelOperator,
  type LabelRequirement,
  type LabelRequirements,
  requirementProblem,
  sortByKey,
} from "./label-selector.ts";
import { qualifiedNameErrors } from "./names.ts";

/** What reading a selector text gives; the error is Kubernetes' whole message. */
export type ParsedLabelSelector =
  | { readonly ok: true; readonly selector: LabelRequirements }
  | { readonly ok: false; readonly error: string };

/**
 * Reads the text of a `labelSelector` parameter: `app=web,tier in (a,b),!old,count>3`.
 *
 * Upstream: k8s.io/apimachinery pkg/labels/selector.go Parse.
 */
export function parseLabelSelector(text: string): ParsedLabelSelector {
  try {
    return { ok: true, selector: sortByKey(new Parser(scan(text)).parse()) };
  } catch (error: unknown) {
    if (error instanceof Refusal) return { ok: false, error: error.message };
    throw error;
  }
}

class Refusal extends Error {}

interface Token {
  readonly kind: "identifier" | "symbol" | "end";
  readonly text: string;
}

const blank = /[ \t\r\n]*/y;
const symbolRun = /[=!(),<>]+/y;
const word = /[^=!(),<> \t\r\n]+/y;
const symbols: ReadonlySet<string> = new Set([")", ",", "!", "==", "=", ">", "<", "!=", "("]);
const binaryOperators: ReadonlySet<string> = new Set(["in", "notin", "=", "==", "!=", ">", "<"]);

function scan(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at += runAt(blank, text, at).length;
    if (at >= text.length) return [...tokens, { kind: "end", text: "" }];
    const run = runAt(symbolRun, text, at);
    if (run === "") {
      const identifier = runAt(word, text, at);
      tokens.push({ kind: "identifier", text: identifier });
      at += identifier.length;
      continue;
    }
    const symbol = symbols.has(run.slice(0, 2)) ? run.slice(0, 2) : run.slice(0, 1);
    tokens.push({ kind: "symbol", text: symbol });
    at += symbol.length;
  }
}

function runAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const next = this.#peek();
      if (next.kind === "end") return requirements;
      if (next.kind !== "identifier" && next.text !== "!") {
        refuse(`found '${next.text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirement());
      const after = this.#take();
      if (after.kind === "end") return requirements;
      if (after.text !== ",") refuse(`found '${after.text}', expected: ',' or 'end of string'`);
      const following = this.#peek();
      if (following.kind !== "identifier" && following.text !== "!") {
        refuse(`found '${following.text}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): LabelRequirement {
    let token = this.#take();
    const negated = token.text === "!";
    if (negated) token = this.#take();
    if (token.kind !== "identifier") refuseRequirement(`found '${token.text}', expected: identifier`);
    const key = token.text;
    const problems = qualifiedNameErrors(key);
    if (problems.length > 0) refuseRequirement(fieldErrorMessage(invalid("", key, problems.join("; "))));
    const next = this.#peek();
    if (next.kind === "end" || next.text === ",") return { key, operator: negated ? "!" : "exists", values: [] };
    if (negated) return this.#checked({ key, operator: "!", values: [] });
    const operator = this.#operator();
    const values = operator === "in" || operator === "notin" ? this.#values() : [this.#value()];
    return this.#checked({ key, operator, values: [...new Set(values)].toSorted() });
  }

  #checked(requirement: LabelRequirement): LabelRequirement {
    const problem = requirementProblem(requirement);
    if (problem !== "") refuseRequirement(problem);
    return requirement;
  }

  #operator(): LabelOperator {
    const { text } = this.#take();
    if (!isBinaryOperator(text)) {
      refuseRequirement(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
    return text;
  }

  #value(): string {
    const next = this.#peek();
    if (next.kind === "end" || next.text === ",") return "";
    const token = this.#take();
    if (token.kind !== "identifier") refuseRequirement(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  /** `(a,,b)`: an empty place between commas is the empty value. */
  #values(): string[] {
    const open = this.#take();
    if (open.text !== "(") refuseRequirement(`found '${open.text}' expected: '('`);
    const values: string[] = [];
    let place = "";
    for (;;) {
      const token = this.#take();
      if (isSymbol(token, ")")) return [...values, place];
      if (isSymbol(token, ",")) {
        values.push(place);
        place = "";
      } else if (token.kind === "identifier" && place === "") {
        place = token.text;
      } else {
        const expected =
          place !== "" ? "',' or ')'" : values.length > 0 ? "',', or identifier" : "',', ')' or identifier";
        refuseRequirement(`found '${token.text}', expected: ${expected}`);
      }
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: "end", text: "" };
  }

  #take(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }
}

function isSymbol(token: Token, text: string): boolean {
  return token.kind === "symbol" && token.text === text;
}

function isBinaryOperator(text: string): text is LabelOperator {
  return binaryOperators.has(text);
}

function refuse(message: string): never {
  throw new Refusal(message);
}

function refuseRequirement(message: string): never {
  refuse(`unable to parse requirement: ${message}`);
}
