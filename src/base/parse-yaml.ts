import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from "js-yaml";
import { isJsonObject, RawNumber, setMember } from "./json.ts";
import { maxJsonDepth } from "./parse-json.ts";
import { resolvePlainScalar } from "./yaml-scalar.ts";
import { excessOf } from "./yaml-size.ts";

/** What parseYaml refuses: not YAML, or YAML that no Kubernetes object is written in. */
export class YamlSyntaxError extends Error {}

export interface ParsedYaml {
  readonly value: unknown;
  /** Keys that stood twice in one mapping; the last one won. */
  readonly duplicates: readonly string[];
}

/** Enough for any real manifest, too little for a bomb. */
const maxNodes = 200_000;
const maxAliases = 100;

/** One document, read as kubectl's parser (Go, YAML 1.1) reads it. */
export function parseYaml(text: string): ParsedYaml {
  const documents = parseYamlDocuments(text);
  if (documents.length > 1) throw new YamlSyntaxError(`expected one document, found ${documents.length}`);
  return documents[0] ?? { value: null, duplicates: [] };
}

/** All documents of a text; empty ones are left out. */
export function parseYamlDocuments(text: string): readonly ParsedYaml[] {
  const events = readEvents(text);
  const budget = { nodes: maxNodes, aliases: maxAliases };
  const documents: ParsedYaml[] = [];
  let at = 0;
  while (at < events.length) {
    const builder = new DocumentBuilder(text, events, budget);
    const { value, next } = builder.build(at);
    if (value !== null) documents.push({ value, duplicates: builder.duplicates });
    at = next;
  }
  return documents;
}

function readEvents(text: string): readonly Event[] {
  const excess = excessOf(text);
  if (excess !== undefined) throw new YamlSyntaxError(excess);
  try {
    return parseEvents(text, {});
  } catch (error: unknown) {
    if (error instanceof YAMLException) throw new YamlSyntaxError(error.message.split("\n")[0] ?? "malformed YAML");
    throw error;
  }
}

interface Budget {
  nodes: number;
  aliases: number;
}

interface Anchored {
  readonly value: unknown;
  readonly nodes: number;
}

/** Builds the value of one document from the parser's events. Aliases share their target, and count as often as it is used. */
class DocumentBuilder {
  readonly duplicates: string[] = [];
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #budget: Budget;
  readonly #anchors = new Map<string, Anchored>();
  #at = 0;
  #depth = 0;

  constructor(text: string, events: readonly Event[], budget: Budget) {
    this.#text = text;
    this.#events = events;
    this.#budget = budget;
  }

  build(start: number): { readonly value: unknown; readonly next: number } {
    this.#at = start;
    if (this.#events[this.#at]?.type === EVENT_ID.DOCUMENT) this.#at++;
    const value = this.#isEnd() ? null : this.#node("");
    while (this.#at < this.#events.length && this.#events[this.#at]?.type !== EVENT_ID.DOCUMENT) this.#at++;
    return { value, next: this.#at };
  }

  #isEnd(): boolean {
    const event = this.#events[this.#at];
    return event === undefined || event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT;
  }

  #node(path: string): unknown {
    const event = this.#events[this.#at++]!;
    this.#spend(1);
    if (event.type === EVENT_ID.ALIAS) return this.#alias(this.#text.slice(event.anchorStart, event.anchorEnd));
    if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP)
      throw new YamlSyntaxError("unexpected end of a document");
    const before = this.#budget.nodes;
    const value = this.#content(event, path);
    if (event.anchorStart >= 0) {
      const anchor = this.#text.slice(event.anchorStart, event.anchorEnd);
      this.#anchors.set(anchor, { value, nodes: before - this.#budget.nodes + 1 });
    }
    return value;
  }

  #content(event: Extract<Event, { anchorStart: number; tagStart: number }>, path: string): unknown {
    const tag = event.tagStart < 0 ? undefined : this.#text.slice(event.tagStart, event.tagEnd);
    if (tag !== undefined && !knownTags.has(tag)) throw new YamlSyntaxError(`tag ${tag} is not allowed`);
    switch (event.type) {
      case EVENT_ID.SCALAR: {
        const scalar = getScalarValue(this.#text, event);
        if (tag === "!!str" || tag === "!" || tag === "!!binary") return scalar;
        return event.style === SCALAR_STYLE.PLAIN || tag !== undefined ? this.#resolve(scalar) : scalar;
      }
      case EVENT_ID.SEQUENCE:
        return this.#nested(() => this.#sequence(path));
      default:
        return this.#nested(() => this.#mapping(path));
    }
  }

  #resolve(scalar: string): unknown {
    const value = resolvePlainScalar(scalar);
    if (typeof value === "number" && !Number.isFinite(value)) throw new YamlSyntaxError(`${scalar} has no JSON form`);
    return value;
  }

  #nested<T>(build: () => T): T {
    if (++this.#depth > maxJsonDepth) throw new YamlSyntaxError(`nested deeper than ${maxJsonDepth} levels`);
    const value = build();
    this.#depth--;
    this.#at++; // the POP that ends the collection
    return value;
  }

  #sequence(path: string): unknown[] {
    const items: unknown[] = [];
    while (!this.#isEnd()) items.push(this.#node(`${path}[${items.length}]`));
    return items;
  }

  #mapping(path: string): object {
    const mapping = {};
    const merged: unknown[] = [];
    while (!this.#isEnd()) {
      const plainMerge = this.#isMergeKey();
      const key = keyText(this.#node(path));
      const memberPath = path === "" ? key : `${path}.${key}`;
      const value = this.#isEnd() ? null : this.#node(memberPath);
      if (plainMerge) {
        merged.push(...(Array.isArray(value) ? value : [value]));
        continue;
      }
      if (Object.hasOwn(mapping, key)) this.duplicates.push(memberPath);
      setMember(mapping, key, value);
    }
    return merged.length === 0 ? mapping : mergeInto(mapping, merged);
  }

  #isMergeKey(): boolean {
    const event = this.#events[this.#at];
    return (
      event?.type === EVENT_ID.SCALAR &&
      event.style === SCALAR_STYLE.PLAIN &&
      getScalarValue(this.#text, event) === "<<"
    );
  }

  #alias(name: string): unknown {
    const target = this.#anchors.get(name);
    if (target === undefined) throw new YamlSyntaxError(`unknown anchor '${name}' referenced`);
    if (--this.#budget.aliases < 0) throw new YamlSyntaxError(`more than ${maxAliases} aliases`);
    this.#spend(target.nodes);
    return target.value;
  }

  #spend(nodes: number): void {
    this.#budget.nodes -= nodes;
    if (this.#budget.nodes < 0) throw new YamlSyntaxError(`more than ${maxNodes} values`);
  }
}

const knownTags: ReadonlySet<string> = new Set([
  "!",
  "!!str",
  "!!int",
  "!!float",
  "!!bool",
  "!!null",
  "!!map",
  "!!seq",
  "!!binary",
]);

/** JSON has string keys only; Go's converter prints numbers and booleans. */
function keyText(key: unknown): string {
  if (typeof key === "string") return key;
  if (typeof key === "number" || typeof key === "boolean") return String(key);
  if (key instanceof RawNumber) return key.token;
  if (key === null) return "null";
  throw new YamlSyntaxError("a mapping key must be a scalar");
}

/** `<<`: members of the merged mappings that the mapping itself does not have; earlier ones win. */
function mergeInto(mapping: object, merged: readonly unknown[]): object {
  for (const source of merged) {
    if (!isJsonObject(source)) throw new YamlSyntaxError("map merge requires map or sequence of maps as the value");
    for (const key of Object.keys(source)) {
      if (!Object.hasOwn(mapping, key)) setMember(mapping, key, source[key]);
    }
  }
  return mapping;
}
