import type { Cluster, ClusterSpec } from "#api/cluster/cluster.ts";
import { dnsLabelErrors, labelValueErrors } from "#api/meta/names.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, forbidden, invalid, required } from "#base/field-error.ts";
import { resourceModelErrors } from "./validate-resource-models.ts";
import { taintErrors } from "./validate-taints.ts";

/** What an operator decides about clusters. */
export interface ClusterRules {
  /** Where secrets of clusters may lie. */
  readonly secretNamespaces: readonly string[];
}

/** The name becomes part of a namespace's, whose prefix takes the rest. */
const maxNameBytes = 48;
const proxySchemes = ["http", "https", "socks5"];

/** What is wrong with a cluster. */
export function clusterErrors({ metadata, spec }: Cluster, rules: ClusterRules): FieldError[] {
  return [
    ...nameProblems(metadata.name).map((detail) => invalid("metadata.name", metadata.name, detail)),
    ...endpointProblems(spec.apiEndpoint ?? "").map((detail) => invalid("spec.apiEndpoint", spec.apiEndpoint, detail)),
    ...secretErrors(spec.secretRef, { path: "spec.secretRef", rules }),
    ...secretErrors(spec.impersonatorSecretRef, { path: "spec.impersonatorSecretRef", rules }),
    ...proxyErrors(spec.proxyURL ?? ""),
    ...placeErrors(spec),
    ...taintErrors(spec.taints ?? [], "spec.taints"),
    ...resourceModelErrors(spec.resourceModels ?? [], "spec.resourceModels"),
  ];
}

function nameProblems(name: string): string[] {
  if (byteLength(name) > maxNameBytes) return [`must be no more than ${maxNameBytes} characters`];
  return dnsLabelErrors(name);
}

const endpointForms = "; desired format: hostname, hostname:port, IP, IP:port, or a URL of these";

/** Credentials are sent here: nothing that could lead them astray is taken. */
function endpointProblems(endpoint: string): string[] {
  if (endpoint === "") return [];
  const authority = endpoint.replace(/^[a-zA-Z][-+.a-zA-Z0-9]*:\/\//, "").replace(/[/?#].*$/s, "");
  const problems: string[] = [];
  if (/[\s\\\p{Cc}]/u.test(endpoint)) problems.push(`apiEndpoint must be a valid URL${endpointForms}`);
  if (authority === "" || authority.startsWith(":")) problems.push(`host must be provided${endpointForms}`);
  if (authority.includes("@")) problems.push("user information is not permitted in the URL");
  if (endpoint.includes("#")) problems.push("fragments are not permitted in the URL");
  if (endpoint.includes("?")) problems.push("query parameters are not permitted in the URL");
  return problems;
}

interface SecretPlace {
  readonly path: string;
  readonly rules: ClusterRules;
}

/** A cluster must not be a way to have secrets read that its author could not read (ruling 22). */
function secretErrors(secret: ClusterSpec["secretRef"], { path, rules }: SecretPlace): FieldError[] {
  if (secret === undefined) return [];
  const errors: FieldError[] = [];
  if (!secret.name) errors.push(required(`${path}.name`));
  if (!secret.namespace) return [...errors, required(`${path}.namespace`)];
  if (!rules.secretNamespaces.includes(secret.namespace)) {
    const list = rules.secretNamespaces.map((namespace) => JSON.stringify(namespace)).join(", ");
    errors.push(forbidden(`${path}.namespace`, `secrets of clusters must lie in ${list}`));
  }
  return errors;
}

function proxyErrors(url: string): FieldError[] {
  if (url === "") return [];
  const scheme = /^([a-zA-Z][-+.a-zA-Z0-9]*):/.exec(url)?.[1]?.toLowerCase() ?? "";
  if (proxySchemes.includes(scheme)) return [];
  const detail = `unsupported scheme ${JSON.stringify(scheme)}, must be http, https, or socks5`;
  return [invalid("spec.proxyURL", url, detail)];
}

/** Placements select by these as they do by labels. */
function placeErrors({ provider = "", region = "", zone = "", zones = [] }: ClusterSpec): FieldError[] {
  const errors = Object.entries({ provider, region, zone }).flatMap(([field, value]) =>
    labelValueErrors(value).map((detail) => invalid(`spec.${field}`, value, detail)),
  );
  for (const [index, value] of zones.entries()) {
    errors.push(...labelValueErrors(value).map((detail) => invalid(`spec.zones[${index}]`, value, detail)));
  }
  if (zone !== "" && zones.length > 0) errors.push(invalid("spec.zones", zones, "zone and zones can not co-exist"));
  return errors;
}
