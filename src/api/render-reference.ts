import { stringifyJson } from "#base/json.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import { apiVersionOf, type Kind } from "./kind.ts";

/** The reference page of some kinds, in Markdown: what each field means, by the words of its declaration. */
export function renderReference(kinds: readonly Kind[]): string {
  const page = new Page();
  return `${[intro, ...familiesOf(kinds).map((family) => page.renderFamily(family))].join("\n\n")}\n`;
}

/** Twins have one spec between them. */
function familiesOf(kinds: readonly Kind[]): Kind[][] {
  const families = new Map<SchemaNode | undefined, Kind[]>();
  for (const kind of kinds) {
    const spec = kind.schema.properties?.["spec"];
    families.set(spec, [...(families.get(spec) ?? []), kind]);
  }
  return [...families.values()];
}

const intro = `# Kinds

Generated from the declarations in \`src/api\` by \`tools/generate-reference.ts\`; do not edit.
Kinds that differ only in their scope share a section. A field is optional unless it says *required*;
a default applies when the field is absent and its object is there.`;

/** Remembers which shapes were shown: a shape that is used again is referred to, not repeated. */
class Page {
  readonly #shown = new Map<object, string>();

  renderFamily(kinds: readonly Kind[]): string {
    const [first] = kinds;
    if (first === undefined) return "";
    return [
      `## ${kinds.map(({ kind }) => kind).join(", ")}`,
      kinds.map(({ kind, doc }) => `**${kind}**: ${doc}`).join("\n\n"),
      renderNames(kinds),
      ...renderColumns(first),
      ...["spec", "status"].flatMap((part) => this.#renderPart(first, part)),
    ].join("\n\n");
  }

  #renderPart(kind: Kind, part: string): string[] {
    const node = kind.schema.properties?.[part];
    if (node === undefined) return [];
    const required = kind.schema.required?.includes(part) === true;
    const rows = [...this.#fieldRows(node, { kind: kind.kind, path: part, required })];
    return [`### ${part}`, table(["field", "type", "default", "rules", "meaning"], rows)];
  }

  /** One row per field, depth first, in the order of the declaration. */
  *#fieldRows(node: SchemaNode, place: Place): Generator<string[]> {
    const rules = [...(place.required ? ["*required*"] : []), ...rulesOf(node)];
    const shape = shapeOf(node);
    const shown = shape === undefined ? undefined : this.#shown.get(shape);
    const meaning = [cell(node.description ?? ""), ...(shown === undefined ? [] : [`Fields as in ${shown}.`])].join(
      " ",
    );
    yield [code(place.path), typeOf(node), defaultOf(node), rules.join("; "), meaning];
    if (shape === undefined || shown !== undefined) return;
    this.#shown.set(shape, `${code(place.path)} of ${place.kind}`);
    yield* this.#innerRows(node, place);
  }

  *#innerRows(node: SchemaNode, { kind, path }: Place): Generator<string[]> {
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      const required = node.required?.includes(name) === true;
      yield* this.#fieldRows(child, { kind, path: `${path}.${name}`, required });
    }
    if (node.items !== undefined) yield* this.#innerRows(node.items, { kind, path: `${path}[]`, required: false });
    const additional = node.additionalProperties;
    if (typeof additional === "object")
      yield* this.#innerRows(additional, { kind, path: `${path}.*`, required: false });
  }
}

interface Place {
  readonly kind: string;
  readonly path: string;
  readonly required: boolean;
}

/** What makes two fields look alike inside; undefined where there is no inside. */
function shapeOf(node: SchemaNode): object | undefined {
  if (node.items !== undefined) return shapeOf(node.items);
  if (typeof node.additionalProperties === "object") return shapeOf(node.additionalProperties);
  return node.properties;
}

function renderNames(kinds: readonly Kind[]): string {
  const rows = kinds.map((kind) => [
    code(apiVersionOf(kind)),
    code(kind.kind),
    code(kind.plural),
    kind.shortNames.map(code).join(", "),
    kind.namespaced ? "Namespaced" : "Cluster",
    kind.hasStatus ? "status" : "",
    kind.categories.map(code).join(", "),
  ]);
  return table(["apiVersion", "kind", "resource", "short", "scope", "subresources", "categories"], rows);
}

function renderColumns({ columns }: Kind): string[] {
  if (columns.length === 0) return [];
  const shown = columns.map(
    ({ name, jsonPath, priority }) => `${name} (${code(jsonPath)}${(priority ?? 0) > 0 ? ", wide" : ""})`,
  );
  return [`Columns: ${shown.join(", ")}.`];
}

function typeOf(node: SchemaNode): string {
  if (node["x-kubernetes-int-or-string"] === true) return node.pattern === undefined ? "integer or string" : "quantity";
  if (node.type === undefined) return "any JSON";
  if (node.type === "array") return `list of ${node.items === undefined ? "anything" : typeOf(node.items)}`;
  if (node.type === "integer") return node.format ?? "integer";
  if (node.format === "date-time") return "time";
  if (node.type !== "object") return node.type;
  if (typeof node.additionalProperties === "object") return `map of ${typeOf(node.additionalProperties)}`;
  return node["x-kubernetes-preserve-unknown-fields"] === true ? "any object" : "object";
}

function defaultOf(node: SchemaNode): string {
  return node.default === undefined ? "" : code(stringifyJson(node.default));
}

function rulesOf(node: SchemaNode): string[] {
  const rules: string[] = [];
  if (node.enum !== undefined) rules.push(node.enum.map((choice) => code(String(choice))).join(", "));
  if (node.minimum !== undefined) rules.push(`at least ${node.minimum}`);
  if (node.maximum !== undefined) rules.push(`at most ${node.maximum}`);
  if (node.minLength !== undefined) rules.push(`at least ${node.minLength} characters`);
  if (node.maxLength !== undefined) rules.push(`at most ${node.maxLength} characters`);
  if (node.minItems !== undefined) rules.push(`at least ${node.minItems} items`);
  if (node.maxItems !== undefined) rules.push(`at most ${node.maxItems} items`);
  if (node.pattern !== undefined && node["x-kubernetes-int-or-string"] !== true)
    rules.push(`matches ${code(node.pattern)}`);
  const listType = node["x-kubernetes-list-type"];
  if (listType !== undefined && listType !== "atomic") rules.push(listType);
  return rules;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(header), `|${" --- |".repeat(header.length)}`, ...rows.map(line)].join("\n");
}

function code(text: string): string {
  return `\`${cell(text)}\``;
}

/** A bar would end the cell. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
