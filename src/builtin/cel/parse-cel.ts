import { type CelProblem, type CelToken, scanCel } from "./scan-cel.ts";

/** A part of an expression; `at` is where Kubernetes would point to. */
export type CelNode =
  | { readonly sort: "name"; readonly name: string; readonly at: number }
  | { readonly sort: "literal"; readonly type: string; readonly at: number }
  | { readonly sort: "member"; readonly target: CelNode; readonly name: string; readonly at: number }
  | {
      readonly sort: "call";
      readonly name: string;
      readonly target?: CelNode;
      readonly args: readonly CelNode[];
      readonly at: number;
    }
  | { readonly sort: "list" | "map" | "message"; readonly parts: readonly CelNode[]; readonly at: number };

/** What an expression is, or what is wrong with its form. */
export function parseCel(
  expression: string,
): { readonly node: CelNode } | { readonly problems: readonly CelProblem[] } {
  const size = [...expression].length;
  if (size > maxSize) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${maxSize}`;
    return { problems: [{ at: -1, message }] };
  }
  const { tokens, problems } = scanCel(expression);
  const parser = new Parser(tokens, problems);
  try {
    const node = parser.whole();
    return problems.length === 0 ? { node } : { problems };
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    return { problems: [...problems, error.problem] };
  }
}

class CelSyntaxError extends Error {
  readonly problem: CelProblem;

  constructor(problem: CelProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

const starts =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const maxSize = 100_000;
const maxDepth = 250;
const relations: ReadonlySet<string> = new Set(["<", "<=", ">=", ">", "==", "!=", "in"]);
const sums: ReadonlySet<string> = new Set(["+", "-"]);
const products: ReadonlySet<string> = new Set(["*", "/", "%"]);
const constants: Readonly<Record<string, string>> = { true: "bool", false: "bool", null: "null" };
const reserved: ReadonlySet<string> = new Set([
  ...["as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package"],
  ...["namespace", "return", "var", "void", "while"],
]);

/** By recursive descent over CEL's grammar. */
class Parser {
  readonly #tokens: readonly CelToken[];
  /** What was mended on the way. */
  readonly #problems: CelProblem[];
  #place = 0;
  #depth = 0;

  constructor(tokens: readonly CelToken[], problems: CelProblem[]) {
    this.#tokens = tokens;
    this.#problems = problems;
  }

  whole(): CelNode {
    const node = this.#expression();
    if (this.#next.sort === "end") return node;
    const last = this.#tokens[this.#place + 1]?.sort === "end";
    throw this.#syntax(`${last ? "extraneous" : "mismatched"} input '${this.#next.text}' expecting <EOF>`);
  }

  get #next(): CelToken {
    return this.#tokens[this.#place] ?? this.#tokens.at(-1)!; // the end is always there
  }

  #expression(): CelNode {
    this.#expectDepth(++this.#depth);
    const condition = this.#alternatives();
    const question = this.#taken("?");
    const node = question === undefined ? condition : this.#choice(condition, question);
    this.#depth--;
    return node;
  }

  #choice(condition: CelNode, question: CelToken): CelNode {
    const yes = this.#alternatives();
    this.#expect(":");
    return { sort: "call", name: "_?_:_", args: [condition, yes, this.#expression()], at: question.at };
  }

  #expectDepth(depth: number): void {
    if (depth <= maxDepth) return;
    throw new CelSyntaxError({ at: -1, message: `expression recursion limit exceeded: ${maxDepth}` });
  }

  #alternatives(): CelNode {
    return this.#together("||", () => this.#together("&&", () => this.#relation()));
  }

  /** Any number of operands of a logical operator, side by side. */
  #together(operator: string, operand: () => CelNode): CelNode {
    const first = operand();
    const args = [first];
    while (this.#taken(operator) !== undefined) args.push(operand());
    return args.length === 1 ? first : { sort: "call", name: `_${operator}_`, args, at: first.at };
  }

  #relation(): CelNode {
    return this.#chain(relations, () => this.#chain(sums, () => this.#chain(products, () => this.#unary())));
  }

  /** Operands of equal rank, from the left. */
  #chain(operators: ReadonlySet<string>, operand: () => CelNode): CelNode {
    let left = operand();
    let count = 0;
    while (this.#next.sort !== "string" && operators.has(this.#next.text)) {
      const { text, at } = this.#advance();
      this.#expectDepth(++count);
      left = { sort: "call", name: `_${text}_`, args: [left, operand()], at };
    }
    return left;
  }

  #unary(): CelNode {
    const operator = this.#taken("!") ?? this.#taken("-");
    if (operator === undefined) return this.#member();
    let count = 1;
    while (this.#taken(operator.text) !== undefined) count++;
    const node = this.#member();
    if (operator.text === "-" && node.sort === "literal" && count === 1) return { ...node, at: operator.at };
    return count % 2 === 0 ? node : { sort: "call", name: `${operator.text}_`, args: [node], at: operator.at };
  }

  #member(): CelNode {
    let node = this.#primary();
    for (let count = 1; ; count++) {
      this.#expectDepth(count);
      const bracket = this.#taken("[");
      if (bracket !== undefined) {
        this.#taken("?");
        node = { sort: "call", name: "_[_]", args: [node, this.#expression()], at: bracket.at };
        this.#expect("]");
        continue;
      }
      const dot = this.#taken(".");
      if (dot === undefined) return node;
      this.#taken("?");
      node = this.#memberAfter(node, dot);
    }
  }

  #memberAfter(target: CelNode, dot: CelToken): CelNode {
    const { sort, text } = this.#next;
    if (!isIdentifier(this.#next) && sort !== "escaped") throw this.#noViable(dot);
    this.#advance();
    const open = this.#taken("(");
    if (open === undefined) return { sort: "member", target, name: text, at: dot.at };
    return { sort: "call", name: text, target, args: this.#list(")"), at: open.at };
  }

  #primary(): CelNode {
    const dot = this.#taken(".");
    const token = this.#next;
    if (isIdentifier(token)) return this.#named(this.#advance());
    if (dot !== undefined) throw this.#noViable(dot);
    if (token.text === "(" && token.sort === "operator") {
      this.#advance();
      const node = this.#expression();
      this.#expect(")");
      return node;
    }
    return this.#collection() ?? this.#literal();
  }

  #named({ text, at }: CelToken): CelNode {
    if (reserved.has(text)) this.#problems.push({ at, message: `reserved identifier: ${text}` });
    const open = this.#taken("(");
    if (open !== undefined) return { sort: "call", name: text, args: this.#list(")"), at: open.at };
    if (this.#next.text !== "{" || this.#next.sort !== "operator") return { sort: "name", name: text, at };
    return { sort: "message", parts: this.#pairs(this.#advance()), at };
  }

  #collection(): CelNode | undefined {
    const bracket = this.#taken("[");
    if (bracket !== undefined) return { sort: "list", parts: this.#list("]"), at: bracket.at };
    const brace = this.#taken("{");
    return brace === undefined ? undefined : { sort: "map", parts: this.#pairs(brace), at: brace.at };
  }

  #literal(): CelNode {
    const { sort, text, at } = this.#next;
    const type = sort !== "identifier" ? sort : text === "in" ? undefined : constants[text];
    if (type === undefined || sort === "operator" || sort === "end" || sort === "escaped") return this.#mended();
    this.#advance();
    return { sort: "literal", type, at };
  }

  #list(end: string): readonly CelNode[] {
    const items: CelNode[] = [];
    while (this.#taken(end) === undefined) {
      if (items.length > 0 && this.#taken(",") === undefined) this.#expect(end);
      if (items.length > 0 && end === "]" && this.#taken(end) !== undefined) break;
      this.#taken("?");
      items.push(this.#expression());
    }
    return items;
  }

  #pairs(_open: CelToken): readonly CelNode[] {
    const parts: CelNode[] = [];
    while (this.#taken("}") === undefined) {
      if (parts.length > 0) this.#expect(",");
      if (parts.length > 0 && this.#taken("}") !== undefined) break;
      this.#taken("?");
      parts.push(this.#expression());
      this.#expect(":");
      parts.push(this.#expression());
    }
    return parts;
  }

  #advance(): CelToken {
    const token = this.#next;
    this.#place++;
    return token;
  }

  #taken(text: string): CelToken | undefined {
    const { sort } = this.#next;
    return sort === "operator" && this.#next.text === text ? this.#advance() : undefined;
  }

  #expect(text: string): void {
    if (this.#taken(text) === undefined)
      throw this.#syntax(`mismatched input '${this.#next.text}' expecting '${text}'`);
  }

  #syntax(message: string): CelSyntaxError {
    return new CelSyntaxError({ at: this.#next.at, message: `Syntax error: ${message}` });
  }

  #noViable(dot: CelToken): CelSyntaxError {
    const between = " ".repeat(Math.max(0, this.#next.at - dot.at - 1));
    const seen = this.#next.sort === "end" ? dot.text : `${dot.text}${between}${this.#next.text}`;
    return this.#syntax(`no viable alternative at input '${seen}'`);
  }

  /** One piece too many is left out where something follows that could stand here. */
  #mended(): CelNode {
    const after = this.#tokens[this.#place + 1];
    const goesOn =
      after !== undefined && after.sort !== "end" && (after.sort !== "operator" || "[{(.-!".includes(after.text));
    const { text, at, sort } = this.#next;
    if (!goesOn || sort === "end") throw this.#syntax(`mismatched input '${text}' expecting ${starts}`);
    this.#problems.push({ at, message: `Syntax error: extraneous input '${text}' expecting ${starts}` });
    this.#advance();
    return this.#unary();
  }
}

function isIdentifier({ sort, text }: CelToken): boolean {
  return sort === "identifier" && text !== "in" && !Object.hasOwn(constants, text);
}
