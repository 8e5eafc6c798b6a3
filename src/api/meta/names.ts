import { byteLength } from "#base/byte-length.ts";
import type { NameRule } from "./resource-type.ts";

/**
 * How names, label keys and label values must look. Each function answers what is wrong with a value, in the words of
 * Kubernetes; nothing wrong is an empty list.
 *
 * Upstream: k8s.io/apimachinery pkg/util/validation and pkg/api/validate/content.
 */

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;
const label1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const keyName = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const keyRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

const labelPattern = new RegExp(`^${label}$`);
const subdomainPattern = new RegExp(`^${subdomain}$`);
const wildcardPattern = new RegExp(`^\\*\\.${subdomain}$`);
const label1035Pattern = new RegExp(`^${label1035}$`);
const keyNamePattern = new RegExp(`^${keyName}$`);
const labelValuePattern = new RegExp(`^(${keyName})?$`);

/** The sentence for a value that does not match a pattern. */
export function patternMessage(rule: string, pattern: string, ...examples: readonly string[]): string {
  const shown = examples.length === 0 ? "" : `e.g. ${examples.map((example) => `'${example}', `).join(" or ")}`;
  return `${rule} (${shown}regex used for validation is '${pattern}')`;
}

/** What is wrong with a DNS-1123 label (namespaces, container names). */
export function dnsLabelErrors(value: string): string[] {
  const errors = lengthErrors(value, 63);
  if (labelPattern.test(value)) return errors;
  if (subdomainPattern.test(value)) return [...errors, "must not contain dots"];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...errors, patternMessage(rule, label, "my-name", "123-abc")];
}

/** What is wrong with a DNS-1123 subdomain (most object names). */
export function dnsSubdomainErrors(value: string): string[] {
  const errors = lengthErrors(value, 253);
  if (!subdomainPattern.test(value)) errors.push(subdomainMessage);
  return errors;
}

const subdomainMessage = patternMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomain,
  "example.com",
);

/** What is wrong with a wildcard host such as `*.example.com`. */
export function wildcardSubdomainErrors(value: string): string[] {
  const errors = lengthErrors(value, 253);
  const rule =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
  if (!wildcardPattern.test(value)) errors.push(patternMessage(rule, `\\*\\.${subdomain}`, "*.example.com"));
  return errors;
}

/** What is wrong with a DNS-1035 label (services). */
export function dns1035LabelErrors(value: string): string[] {
  const errors = lengthErrors(value, 63);
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  if (!label1035Pattern.test(value)) errors.push(patternMessage(rule, label1035, "my-name", "abc-123"));
  return errors;
}

/** What is wrong with a name that only has to fit into a URL (RBAC). */
export function pathSegmentErrors(value: string): string[] {
  if (value === "." || value === "..") return [`may not be '${value}'`];
  return ["/", "%"].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
}

const nameRule = patternMessage(keyRule, keyName, "MyName", "my.name", "123-abc");

/** Nearly every one: short enough in each of its parts as a whole. */
const plainQualifiedName =
  /^(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** What is wrong with a qualified name: a label key, an annotation key in lower case, a finalizer, a resource name. */
export function qualifiedNameErrors(value: string): string[] {
  if (value.length <= 63 && plainQualifiedName.test(value)) return [];
  const parts = value.split("/");
  if (parts.length > 2) {
    return [`a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) ?? "";
  const errors = parts.length === 2 ? prefixErrors(parts[0] ?? "") : [];
  if (name === "") errors.push("name part must be non-empty");
  else if (byteLength(name) > 63) errors.push("name part must be no more than 63 bytes");
  if (!keyNamePattern.test(name)) errors.push(`name part ${nameRule}`);
  return errors;
}

function prefixErrors(prefix: string): string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  const errors = byteLength(prefix) > 253 ? ["prefix part must be no more than 253 bytes"] : [];
  if (!subdomainPattern.test(prefix)) errors.push(`prefix part ${subdomainMessage}`);
  return errors;
}

/** What is wrong with the value of a label. */
export function labelValueErrors(value: string): string[] {
  const errors = byteLength(value) > 63 ? ["must be no more than 63 bytes"] : [];
  if (!labelValuePattern.test(value)) {
    errors.push(
      patternMessage(
        `a valid label must be an empty string or ${keyRuleOfValues}`,
        `(${keyName})?`,
        "MyValue",
        "my_value",
        "12345",
      ),
    );
  }
  return errors;
}

const keyRuleOfValues = keyRule.replace("must consist", "consist");

const ruleErrors: Readonly<Record<NameRule, (name: string) => string[]>> = {
  "dns-subdomain": dnsSubdomainErrors,
  "dns-label": dnsLabelErrors,
  "dns-1035-label": dns1035LabelErrors,
  "long-name": (name) => dnsSubdomainErrors(name).map((problem) => problem.replace(/253 characters$/, "253 bytes")),
  "path-segment": pathSegmentErrors,
};

/** What is wrong with an object's name by its kind's rule. */
export function nameErrors(name: string, rule: NameRule = "dns-subdomain"): string[] {
  return ruleErrors[rule](name);
}

/** The same for a generateName, whose trailing dash a suffix will follow. */
export function namePrefixErrors(prefix: string, rule: NameRule = "dns-subdomain"): string[] {
  if (rule === "path-segment") return pathSegmentErrors(prefix);
  if (rule === "long-name") return segmentPrefixErrors(prefix);
  const masked = prefix.length > 1 && prefix.endsWith("-") ? `${prefix.slice(0, -2)}a` : prefix;
  return ruleErrors[rule](masked);
}

/** What keeps a generateName from becoming a segment of a path. */
export function segmentPrefixErrors(prefix: string): string[] {
  return ["/", "%"].filter((part) => prefix.includes(part)).map((part) => `may not contain '${part}'`);
}

function lengthErrors(value: string, max: number): string[] {
  return byteLength(value) > max ? [`must be no more than ${max} characters`] : [];
}
