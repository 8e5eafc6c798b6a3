import { labelSelectorErrors } from "#api/meta/label-selector.ts";
import { dns1035LabelErrors, dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { type FieldError, invalid, namedText, notSupported, required } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import { oneOfGiven, portNumber, requiredText, textErrors } from "../value-rules.ts";

/** What is wrong with one webhook. */
export function webhookErrors(hook: Fields, path: string): FieldError[] {
  const timeout = hook.timeoutSeconds;
  const late = timeout != null && (timeout < 1 || timeout > 30);
  return [
    ...qualifiedHostErrors(hook.name ?? "", `${path}.name`),
    ...(hook.rules ?? []).flatMap((rule: Fields, index: number) => ruleErrors(rule, `${path}.rules[${index}]`)),
    ...oneOfGiven(`${path}.failurePolicy`, hook.failurePolicy, ["Fail", "Ignore"]),
    ...oneOfGiven(`${path}.matchPolicy`, hook.matchPolicy, ["Equivalent", "Exact"]),
    ...sideEffectErrors(hook.sideEffects, `${path}.sideEffects`),
    ...(late ? [invalid(`${path}.timeoutSeconds`, timeout, "the timeout value must be between 1 and 30 seconds")] : []),
    ...labelSelectorErrors(hook.namespaceSelector, `${path}.namespaceSelector`),
    ...labelSelectorErrors(hook.objectSelector, `${path}.objectSelector`),
    ...oneOfGiven(`${path}.reinvocationPolicy`, hook.reinvocationPolicy, ["IfNeeded", "Never"]),
    ...clientErrors(hook.clientConfig ?? {}, `${path}.clientConfig`),
    ...reviewVersionErrors(hook.admissionReviewVersions ?? [], `${path}.admissionReviewVersions`),
  ];
}

function qualifiedHostErrors(name: string, path: string): FieldError[] {
  if (name === "") return [required(path)];
  const problems = dnsSubdomainErrors(name);
  if (problems.length > 0) return [invalid(path, name, problems.join(","))];
  if (name.split(".").length >= 3) return [];
  return [invalid(path, name, "should be a domain with at least three segments separated by dots")];
}

function sideEffectErrors(value: unknown, path: string): FieldError[] {
  const allowed = ["None", "NoneOnDryRun"];
  if (value === undefined || value === null) return [required(path, `must specify one of ${allowed.join(", ")}`)];
  return allowed.includes(String(value)) ? [] : [notSupported(path, namedText(value), allowed)];
}

const lists = [
  { field: "apiGroups", words: "API groups", emptyItems: true },
  { field: "apiVersions", words: "API versions", emptyItems: false },
] as const;

const known = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];

function ruleErrors(rule: Fields, path: string): FieldError[] {
  const operations: readonly string[] = rule.operations ?? [];
  const errors: FieldError[] = [];
  if (operations.length === 0) errors.push(required(`${path}.operations`));
  if (operations.length > 1 && operations.includes("*")) {
    errors.push(invalid(`${path}.operations`, operations, "if '*' is present, must not specify other operations"));
  }
  operations.forEach((operation, index) => {
    if (known.includes(operation)) return;
    errors.push(notSupported(`${path}.operations[${index}]`, namedText(operation ?? ""), known));
  });
  for (const { field, words, emptyItems } of lists)
    errors.push(...wildcardListErrors(rule[field] ?? [], `${path}.${field}`, { words, emptyItems }));
  return [
    ...errors,
    ...resourceErrors(rule.resources ?? [], `${path}.resources`),
    ...oneOfGiven(`${path}.scope`, rule.scope, ["*", "Cluster", "Namespaced"]),
  ];
}

function wildcardListErrors(
  items: readonly string[],
  path: string,
  { words, emptyItems }: { words: string; emptyItems: boolean },
): FieldError[] {
  if (items.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  if (items.length > 1 && items.includes("*")) {
    errors.push(invalid(path, items, `if '*' is present, must not specify other ${words}`));
  }
  if (emptyItems) return errors;
  return [...errors, ...items.flatMap((item, index) => (item === "" ? [required(`${path}[${index}]`)] : []))];
}

function resourceErrors(resources: readonly string[], path: string): FieldError[] {
  if (resources.length === 0) return [required(path)];
  const errors = resources.flatMap((resource, index) => (resource === "" ? [required(`${path}[${index}]`)] : []));
  if (resources.length > 1 && resources.includes("*/*")) {
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  // upstream looks at the last one without a subresource
  const plain = resources.findLast((resource) => resource !== "" && !resource.includes("/"));
  if (resources.includes("*") && plain !== "*") {
    const message = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalid(path, resources, message));
  }
  return errors;
}

/** What is wrong with how a webhook is reached. */
export function clientErrors({ url, service }: Fields, path: string): FieldError[] {
  if ((url == null) === (service == null)) return [required(path, "exactly one of url or service is required")];
  if (url != null) return urlErrors(String(url), `${path}.url`);
  const errors = [
    // upstream confuses the two
    ...requiredText(`${path}.service.name`, service.namespace),
    ...requiredText(`${path}.service.namespace`, service.name),
  ];
  const port = portNumber("", service.port);
  if (port[0] !== undefined)
    errors.push(invalid(`${path}.service.port`, service.port, `port is not valid: ${port[0].detail}`));
  return [...errors, ...servicePathErrors(service.path ?? "", `${path}.service.path`)];
}

function servicePathErrors(text: string, path: string): FieldError[] {
  if (text === "" || text === "/") return [];
  if (text === "//") return [invalid(path, text, "segment[0] may not be empty")];
  const errors = text.startsWith("/") ? [] : [invalid(path, text, "must start with a '/'")];
  const steps = withoutFirstByte(text).replace(/\/$/, "").split("/");
  return [
    ...errors,
    ...steps.flatMap((step, index) => {
      if (step === "") return [invalid(path, text, `segment[${index}] may not be empty`)];
      return dnsSubdomainErrors(step).map((problem) => invalid(path, text, `segment[${index}]: ${problem}`));
    }),
  ];
}

/** Of what does not start with a slash, Go cuts off a byte all the same. */
function withoutFirstByte(text: string): string {
  return Buffer.from(text, "utf8").subarray(1).toString("utf8");
}

function urlErrors(text: string, path: string): FieldError[] {
  const form = "; desired format: https://host[/path]";
  const problem = urlProblem(text);
  if (problem !== undefined) {
    return [required(path, `url must be a valid URL: parse ${goQuote(text)}: ${problem}${form}`)];
  }
  const [, scheme = "", rest = text] = /^([a-zA-Z][a-zA-Z0-9+.-]*):(.*)$/.exec(text) ?? [];
  const [, authority = ""] = /^\/\/([^/?#]*)/.exec(rest) ?? [];
  const at = authority.lastIndexOf("@");
  const [, , query = "", , fragment = ""] = /^([^?#]*)\??([^#]*)(#?)(.*)$/.exec(rest) ?? [];
  const errors: FieldError[] = [];
  if (scheme.toLowerCase() !== "https") {
    errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${form}`));
  }
  if (authority.slice(at + 1) === "") errors.push(invalid(path, "", `host must be specified${form}`));
  if (at >= 0) errors.push(invalid(path, authority.slice(0, at), "user information is not permitted in the URL"));
  if (fragment !== "") errors.push(invalid(path, fragment, "fragments are not permitted in the URL"));
  if (query !== "") errors.push(invalid(path, query, "query parameters are not permitted in the URL"));
  return errors;
}

/** What keeps Go from reading it. */
function urlProblem(text: string): string | undefined {
  if (/[\x00-\x1f\x7f]/.test(text)) return "net/url: invalid control character in URL";
  const broken = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text);
  if (broken !== null) return `invalid URL escape ${goQuote(broken[0])}`;
  return /^[^/?#]*:/.test(text) && !/^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(text)
    ? "first path segment in URL cannot contain colon"
    : undefined;
}

/** What is wrong with the versions of reviews that a webhook understands. */
export function reviewVersionErrors(versions: readonly string[], path: string): FieldError[] {
  if (versions.length === 0) return [required(path, "must specify one of v1, v1beta1")];
  const errors = versions.flatMap((version, index) =>
    versions.indexOf(version) < index
      ? [invalid(`${path}[${index}]`, version, "duplicate version")]
      : textErrors(`${path}[${index}]`, version, dns1035LabelErrors),
  );
  if (!versions.some((version) => version === "v1" || version === "v1beta1")) {
    errors.push(invalid(path, versions, "must include at least one of v1, v1beta1"));
  }
  return errors;
}
