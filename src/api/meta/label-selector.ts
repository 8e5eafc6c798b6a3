import { type FieldError, fieldErrorMessage, forbidden, invalid, namedText, required } from "#base/field-error.ts";
import { member } from "#base/json.ts";
import { labelValueErrors, qualifiedNameErrors } from "./names.ts";

/** A label selector in the one form that is matched: every requirement must hold. Sorted by key. */
export type LabelRequirements = readonly LabelRequirement[];

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted; one for the operators that compare, none for those that ask for presence. */
  readonly values: readonly string[];
}

export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!" | ">" | "<";

/** metav1.LabelSelector as it is on the wire. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorExpression[];
}

export interface LabelSelectorExpression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

type Labels = Readonly<Record<string, string>> | undefined;

/** Whether an object with these labels is selected; no requirement selects everything. */
export function matchesLabels(requirements: LabelRequirements, labels: Labels): boolean {
  return requirements.every((requirement) => meets(requirement, labels));
}

function meets({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = labels === undefined ? undefined : member(labels, key);
  switch (operator) {
    case "=":
    case "==":
    case "in":
      return typeof value === "string" && values.includes(value);
    case "!=":
    case "notin":
      return typeof value !== "string" || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case ">":
    case "<":
      return typeof value === "string" && exceeds(value, values[0] ?? "", operator);
  }
}

const integer = /^[-+]?[0-9]{1,19}$/;

function exceeds(value: string, bound: string, operator: ">" | "<"): boolean {
  if (!integer.test(value) || !integer.test(bound)) return false;
  return operator === ">" ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
}

/** A LabelSelector object as requirements. Absent selects nothing in Kubernetes: callers decide before they ask. */
export function labelRequirementsOf(selector: LabelSelector): LabelRequirements {
  const equalities = Object.entries(selector.matchLabels ?? {}).map(
    ([key, value]): LabelRequirement => ({ key, operator: "=", values: [value] }),
  );
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values }): LabelRequirement => ({
      key,
      operator: operatorOfExpression[operator] ?? "in",
      values: (values ?? []).toSorted(),
    }),
  );
  return sortByKey([...equalities, ...expressions]);
}

const operatorOfExpression: Readonly<Record<string, LabelOperator>> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
};

/** Requirements in the order all selectors are kept and printed. */
export function sortByKey(requirements: readonly LabelRequirement[]): LabelRequirements {
  return requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

/** Whether a LabelSelector object selects these labels; an absent selector selects nothing, an empty one everything. */
export function selectsLabels(selector: LabelSelector | undefined | null, labels: Labels): boolean {
  return selector != null && matchesLabels(labelRequirementsOf(selector), labels);
}

/** A LabelSelector object as the text that parseLabelSelector reads: `app=web,tier in (a,b),!old`. */
export function printLabelSelector(selector: LabelSelector): string {
  return printLabelRequirements(labelRequirementsOf(selector));
}

/** A plain label map (services, replication controllers) as the text of a selector. */
export function printLabelMap(labels: Readonly<Record<string, string>>): string {
  return printLabelSelector({ matchLabels: labels });
}

/** Requirements as text. */
export function printLabelRequirements(requirements: LabelRequirements): string {
  return requirements.map(printRequirement).join(",");
}

function printRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${values.join(",")})`;
    default:
      return `${key}${operator}${values.join(",")}`;
  }
}

/** What is wrong with a LabelSelector object. */
export function labelSelectorErrors(selector: LabelSelector | undefined | null, path: string): FieldError[] {
  if (selector == null) return [];
  const expressions = (selector.matchExpressions ?? []).flatMap((expression, index) =>
    expressionErrors(expression, `${path}.matchExpressions[${index}]`),
  );
  return [...labelErrors(selector.matchLabels, `${path}.matchLabels`), ...expressions];
}

/** What is wrong with a map of labels. */
export function labelErrors(labels: Readonly<Record<string, string>> | undefined | null, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    for (const message of qualifiedNameErrors(key)) errors.push(invalid(path, key, message));
    for (const message of labelValueErrors(value)) errors.push(invalid(path, value, message));
  }
  return errors;
}

function expressionErrors({ key, operator, values = [] }: LabelSelectorExpression, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      errors.push(forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    }
  } else errors.push(invalid(`${path}.operator`, namedText(operator), "not a valid selector operator"));
  errors.push(...qualifiedNameErrors(key ?? "").map((message) => invalid(`${path}.key`, key ?? "", message)));
  values.forEach((value, index) => {
    errors.push(...labelValueErrors(value).map((message) => invalid(`${path}.values[${index}]`, value, message)));
  });
  return errors;
}

/** What is wrong with one requirement of a selector text; empty or the messages joined as Kubernetes joins them. */
export function requirementProblem({ key, operator, values }: LabelRequirement): string {
  const errors: FieldError[] = [];
  const keyProblems = qualifiedNameErrors(key);
  if (keyProblems.length > 0) errors.push(invalid("key", key, keyProblems.join("; ")));
  values.forEach((value, index) => {
    if ((operator === ">" || operator === "<") && !integer.test(value)) {
      errors.push(invalid(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
  });
  values.forEach((value, index) => {
    const problems = labelValueErrors(value);
    if (problems.length > 0) errors.push(invalid(`values[${index}][${key}]`, value, problems.join("; ")));
  });
  const messages = [...new Set(errors.map(fieldErrorMessage))];
  return messages.length > 1 ? `[${messages.join(", ")}]` : (messages[0] ?? "");
}
