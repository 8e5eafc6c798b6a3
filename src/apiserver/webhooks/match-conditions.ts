import type { UserInfo } from "#api/meta/api-call.ts";
import { isJsonObject } from "#base/json.ts";

/** The one form of CEL that is understood here: who asks, and who does not. */
const comparison = /^\s*request\.userInfo\.username\s*(==|!=)\s*'([^'"\\]*)'\s*$/;

/** Whether all conditions of a webhook hold for somebody's request; undefined when one is of another form than the one understood. */
export function conditionsHold(conditions: readonly unknown[], { name }: UserInfo): boolean | undefined {
  const verdicts = conditions.map((condition) => {
    const expression = isJsonObject(condition) ? condition["expression"] : undefined;
    const [, operator, text] = comparison.exec(typeof expression === "string" ? expression : "") ?? [];
    return operator === undefined ? undefined : (operator === "==") === (name === text);
  });
  return verdicts.includes(undefined) ? undefined : !verdicts.includes(false);
}
