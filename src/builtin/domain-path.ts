import { dnsSubdomainErrors, patternMessage } from "#api/meta/names.ts";
import { type FieldError, invalid, required } from "#base/field-error.ts";
import { textErrors } from "./value-rules.ts";

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const httpPathPattern = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** What is wrong with the name of a controller, such as `acme.io/foo`. */
export function domainPathErrors(path: string, value: string): FieldError[] {
  if (value === "") return [required(path)];
  const slash = value.indexOf("/");
  const [domain, rest] = [value.slice(0, Math.max(slash, 0)), value.slice(slash + 1)];
  if (domain === "" || rest === "") {
    return [invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const errors = textErrors(path, domain, dnsSubdomainErrors);
  if (!httpPathPattern.test(rest)) errors.push(invalid(path, rest, patternMessage("Invalid path", httpPath)));
  return errors;
}
