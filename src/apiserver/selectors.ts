import type { CallOptions } from "#api/meta/api-call.ts";
import { type LabelRequirements, matchesLabels } from "#api/meta/label-selector.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { parseLabelSelector } from "#api/meta/parse-label-selector.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";

/** Which objects a list or watch wants. */
export interface ObjectFilter {
  readonly matches: (object: ApiObject) => boolean;
  /** The selectors name exactly one object: lists and watches need look at no other. */
  readonly name: string | undefined;
  /** No selector at all: every object matches. */
  readonly all: boolean;
}

interface FieldTerm {
  readonly field: string;
  readonly value: string;
  readonly negated: boolean;
}

/** Parses the label and field selectors of a request; throws the Status that Kubernetes gives for bad ones. */
export function parseFilter(type: ResourceType, options: CallOptions): ObjectFilter {
  const labels = parseLabels(options.labelSelector ?? "");
  const terms = parseFieldSelector(options.fieldSelector ?? "");
  const readers = terms.map((term) => ({ ...term, read: fieldReader(type, term.field) }));
  return {
    name: nameIn(terms),
    all: labels === undefined && terms.length === 0,
    matches: (object) =>
      readers.every(({ read, value, negated }) => (read(object) === value) !== negated) &&
      (labels === undefined || matchesLabels(labels, object.metadata.labels)),
  };
}

/** The only name that a list or watch can find: who may see that object need not be allowed to see others. */
export function selectedName({ fieldSelector }: CallOptions): string | undefined {
  if (fieldSelector === undefined) return undefined;
  try {
    return nameIn(parseFieldSelector(fieldSelector));
  } catch (error: unknown) {
    if (error instanceof StatusError) return undefined; // the verb tells what is wrong with it, after who may
    throw error;
  }
}

function nameIn(terms: readonly FieldTerm[]): string | undefined {
  return terms.find((term) => term.field === "metadata.name" && !term.negated)?.value;
}

function parseLabels(text: string): LabelRequirements | undefined {
  if (text.trim() === "") return undefined;
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) throw StatusError.badRequest(parsed.error);
  return parsed.selector;
}

function fieldReader(type: ResourceType, field: string): (object: ApiObject) => string {
  if (field === "metadata.name") return (object) => object.metadata.name;
  const known = type.strategy.fieldSelectors ?? {};
  const hasOwnFields = type.custom || Object.keys(known).length > 0; // such a kind lists all that it knows
  if (field === "metadata.namespace" && (type.namespaced || !hasOwnFields))
    return (object) => object.metadata.namespace ?? "";
  const read = Object.hasOwn(known, field) ? known[field] : undefined;
  if (read !== undefined) return read;
  if (!hasOwnFields) {
    throw StatusError.badRequest(
      `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
  throw StatusError.badRequest(type.strategy.unknownField?.(field) ?? `field label not supported: ${field}`);
}

/** `a=b,c!=d`; `\\` escapes `,`, `=` and itself in values. */
function parseFieldSelector(text: string): readonly FieldTerm[] {
  return splitTerms(text)
    .filter((term) => term !== "")
    .map((term) => {
      const match = /^(.*?)(==|!=|=)(.*)$/s.exec(term);
      if (match === null) throw StatusError.badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
      const [, field, operator, value] = match;
      return { field: field!, value: unescapeValue(value!), negated: operator === "!=" };
    })
    .filter(({ field, value }) => field !== "" || value !== "");
}

function splitTerms(text: string): readonly string[] {
  const terms: string[] = [];
  let term = "";
  for (let i = 0; i < text.length; i++) {
    if (text[i] === ",") {
      terms.push(term);
      term = "";
    } else term += text[i] === "\\" ? `\\${text[++i] ?? ""}` : text[i];
  }
  return [...terms, term];
}

function unescapeValue(value: string): string {
  return value.replace(/\\(.?)|=/gs, (found, char?: string) => {
    if (found === "=") throw StatusError.badRequest("invalid field selector: unescaped character in value: 61");
    if (char === "\\" || char === "," || char === "=") return char;
    throw StatusError.badRequest(`invalid field selector: invalid escape sequence: ${found}`);
  });
}
