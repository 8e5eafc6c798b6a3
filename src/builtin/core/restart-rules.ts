import type { Fields } from "#api/meta/object-meta.ts";
import { duplicate, type FieldError, invalid, namedText, notSupported, required, tooMany } from "#base/field-error.ts";
import { isMissing, oneOf } from "../value-rules.ts";

const actions = ["Restart", "RestartAllContainers"];
const policies = ["Always", "Never", "OnFailure"];
const operators = ["In", "NotIn"];
const maxRules = 20;
const maxExitCodes = 255;

/** What is wrong with how one container is restarted. */
export function restartErrors({ restartPolicy, restartPolicyRules = [] }: Fields, path: string): FieldError[] {
  const rules: readonly Fields[] = restartPolicyRules ?? [];
  const errors: FieldError[] = [];
  if (restartPolicy != null && !policies.includes(restartPolicy)) {
    errors.push(notSupported(`${path}.restartPolicy`, namedText(restartPolicy), policies));
  }
  if (restartPolicy == null && rules.length > 0) {
    errors.push(required(`${path}.restartPolicy`, "must specify restartPolicy when restart rules are used"));
  }
  if (rules.length > maxRules) errors.push(tooMany(`${path}.restartPolicyRules`, rules.length, maxRules));
  return [...errors, ...rules.flatMap((rule, index) => ruleErrors(rule, `${path}.restartPolicyRules[${index}]`))];
}

/** The same of an init container, whose rules are looked at only where it says how it is restarted. */
export function initRestartErrors(container: Fields, path: string): FieldError[] {
  if (container.restartPolicy != null) return restartErrors(container, path);
  return restartErrors(
    { ...container, restartPolicyRules: (container.restartPolicyRules ?? []).map(() => fine) },
    path,
  );
}

const fine: Fields = { action: "Restart", exitCodes: { operator: "In" } };

function ruleErrors({ action = "", exitCodes }: Fields, path: string): FieldError[] {
  const errors = actions.includes(action) ? [] : [notSupported(`${path}.action`, namedText(action), actions)];
  if (exitCodes == null) return [...errors, required(`${path}.exitCodes`, "must be specified")];
  const { operator = "", values = [] } = exitCodes;
  const at = `${path}.exitCodes`;
  if (!operators.includes(operator)) errors.push(notSupported(`${at}.operator`, namedText(operator), operators));
  if (values.length > maxExitCodes) errors.push(tooMany(`${at}.values`, values.length, maxExitCodes));
  return errors;
}

const resizable = ["cpu", "memory"];
const resizePolicies = ["NotRequired", "RestartContainer"];

/** What is wrong with how a container takes a change of its resources; upstream names the list, not its item. */
export function resizeErrors(container: Fields, path: string, podRestarts: unknown): FieldError[] {
  const seen = new Set<string>();
  return (container.resizePolicy ?? []).flatMap(({ resourceName = "", restartPolicy = "" }: Fields, index: number) => {
    const at = `${path}.resizePolicy`;
    const errors = seen.has(resourceName) ? [duplicate(`${at}[${index}]`, namedText(resourceName))] : [];
    seen.add(resourceName);
    errors.push(...known(at, resourceName, resizable), ...known(at, restartPolicy, resizePolicies));
    if (podRestarts === "Never" && restartPolicy !== "NotRequired") {
      const message = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
      errors.push(invalid(at, namedText(restartPolicy), message));
    }
    return errors;
  });
}

function known(path: string, value: string, allowed: readonly string[]): FieldError[] {
  return isMissing(value) ? [required(path)] : oneOf(path, value, allowed);
}

/** What is wrong with it in a container that starts before the others and ends. */
export function initResizeErrors(container: Fields, path: string): FieldError[] {
  if (container.restartPolicy === "Always") return [];
  return (container.resizePolicy ?? []).flatMap(({ restartPolicy }: Fields, index: number) => {
    if (restartPolicy !== "RestartContainer") return [];
    const message = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    return [invalid(`${path}.resizePolicy[${index}].restartPolicy`, namedText(restartPolicy), message)];
  });
}
