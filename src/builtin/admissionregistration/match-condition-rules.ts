import { qualifiedNameErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { duplicate, type FieldError, invalid, required, tooMany } from "#base/field-error.ts";
import { celProblem } from "../cel/judge-cel.ts";
import { textErrors } from "../value-rules.ts";

const maxConditions = 64;
/** What an expression may speak of, and of which type it is. */
export const conditionNames = {
  object: "dyn",
  oldObject: "dyn",
  namespaceObject: "kubernetes.Namespace",
  request: "kubernetes.AdmissionRequest",
  authorizer: "kubernetes.authorization.Authorizer",
  "authorizer.requestResource": undefined,
};

/** What is wrong with the conditions under which a webhook is called. */
export function matchConditionErrors(conditions: readonly Fields[], path: string): FieldError[] {
  const seen = new Set<string>();
  const errors = conditions.length > maxConditions ? [tooMany(path, conditions.length, maxConditions)] : [];
  return [
    ...errors,
    ...conditions.flatMap(({ name = "", expression = "" }, index) => {
      const at = `${path}[${index}]`;
      const again = name !== "" && seen.has(name);
      seen.add(name);
      return [
        ...expressionErrors(expression.trim(), `${at}.expression`),
        ...(name === "" ? [required(`${at}.name`)] : textErrors(`${at}.name`, name, qualifiedNameErrors)),
        ...(again ? [duplicate(`${at}.name`, name)] : []),
      ];
    }),
  ];
}

function expressionErrors(expression: string, path: string): FieldError[] {
  if (expression === "") return [required(path)];
  const problem = celProblem(expression, conditionNames);
  return problem === undefined ? [] : [invalid(path, expression, problem)];
}
