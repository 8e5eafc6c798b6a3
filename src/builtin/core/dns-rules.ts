import { dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, forbidden, invalid, required, tooLong } from "#base/field-error.ts";
import { ipErrors } from "../address-rules.ts";
import { isMissing, textErrors } from "../value-rules.ts";

const maxServers = 3;
const maxSearches = 32;
const maxSearchCharacters = 2048;

/** What is wrong with the resolver of a pod. */
export function dnsConfigErrors({ dnsConfig, dnsPolicy }: Fields, path: string): FieldError[] {
  if (dnsConfig == null) {
    if (dnsPolicy !== "None") return [];
    return [required(path, "must provide `dnsConfig` when `dnsPolicy` is None")];
  }
  const servers: readonly string[] = dnsConfig.nameservers ?? [];
  if (dnsPolicy === "None" && servers.length === 0) {
    return [required(`${path}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None")];
  }
  const many = `must not have more than ${maxServers} nameservers`;
  return [
    ...(servers.length > maxServers ? [invalid(`${path}.nameservers`, servers, many)] : []),
    ...servers.flatMap((server, index) => ipErrors(`${path}.nameservers[${index}]`, server ?? "")),
    ...searchErrors(dnsConfig.searches ?? [], `${path}.searches`),
    ...(dnsConfig.options ?? []).flatMap(({ name }: Fields, index: number) =>
      isMissing(name) ? [required(`${path}.options[${index}]`, "must not be empty")] : [],
    ),
  ];
}

function searchErrors(searches: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (searches.length > maxSearches) {
    errors.push(invalid(path, searches, `must not have more than ${maxSearches} search paths`));
  }
  if (byteLength(searches.join(" ")) > maxSearchCharacters) {
    const message = `must not have more than ${maxSearchCharacters} characters (including spaces) in the search list`;
    errors.push(invalid(path, searches, message));
  }
  return [
    ...errors,
    ...searches.flatMap((search, index) => {
      if (search === ".") return [];
      return textErrors(`${path}[${index}]`, (search ?? "").replace(/\.$/, ""), underscoredErrors);
    }),
  ];
}

const underscoredLabel = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const underscored = `${underscoredLabel}(\\.${underscoredLabel})*`;
const underscoredPattern = new RegExp(`^${underscored}$`);

function underscoredErrors(value: string): string[] {
  const errors = byteLength(value) > 253 ? ["must be no more than 253 bytes"] : [];
  if (underscoredPattern.test(value)) return errors;
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
  return [...errors, `${rule} (e.g. 'example.com', regex used for validation is '${underscored}')`];
}

/** What is wrong with the name that a pod sees as its own. */
export function hostnameOverrideErrors(spec: Fields, path: string): FieldError[] {
  const name = spec.hostnameOverride;
  if (name == null) return [];
  return [
    ...(spec.setHostnameAsFQDN === true
      ? [forbidden(path, "may not be specified when setHostnameAsFQDN is true")]
      : []),
    ...(spec.hostNetwork === true ? [forbidden(path, "may not be specified when hostNetwork is true")] : []),
    ...(byteLength(name) > 64 ? [tooLong(path, 64)] : []),
    ...textErrors(path, name, dnsSubdomainErrors),
  ];
}
