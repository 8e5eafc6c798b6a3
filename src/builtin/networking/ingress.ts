import { dnsLabelErrors, dnsSubdomainErrors, pathSegmentErrors, wildcardSubdomainErrors } from "#api/meta/names.ts";
import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, invalid, namedText, notSupported, required } from "#base/field-error.ts";
import { parseIp } from "#base/ip-address.ts";
import { ingressStatusErrors } from "../balancer-status-rules.ts";
import { asSent } from "../sent-empty.ts";
import { givenText, isMissing, optionalText, portNameErrors, portNumber, textErrors } from "../value-rules.ts";

const classAnnotation = "kubernetes.io/ingress.class";

/** Ingresses. */
export const ingressStrategy: Strategy = {
  generation: "spec",
  unconditionalUpdate: true,
  applyDefaults: (draft: Draft) => {
    draft.spec ??= {};
  },
  prepareForCreate: (draft) => {
    draft.status = { loadBalancer: {} };
  },
  validate: ({ metadata, spec }: Fields) => {
    const annotated = metadata.annotations?.[classAnnotation];
    const differs = annotated !== undefined && spec.ingressClassName != null && annotated !== spec.ingressClassName;
    const message = "must match `ingressClassName` when both are specified";
    return [...specErrors(spec), ...(differs ? [invalid(`annotations.${classAnnotation}`, annotated, message)] : [])];
  },
  validateStatus: ingressStatusErrors,
  warnings: ({ metadata, spec }: Fields, old) =>
    old !== undefined || metadata.annotations?.[classAnnotation] === undefined || spec.ingressClassName != null
      ? []
      : [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`],
};

function specErrors(spec: Fields): FieldError[] {
  const rules: readonly Fields[] = spec.rules ?? [];
  const errors: FieldError[] = [];
  if (rules.length === 0 && spec.defaultBackend == null) {
    errors.push(invalid("spec", asSent(spec, "rules") ?? null, "either `defaultBackend` or `rules` must be specified"));
  }
  if (spec.defaultBackend != null) errors.push(...backendErrors(spec.defaultBackend, "spec.defaultBackend"));
  return [
    ...errors,
    ...rules.flatMap((rule, index) => ruleErrors(rule, `spec.rules[${index}]`)),
    ...tlsErrors(spec.tls ?? []),
    ...givenText("spec.ingressClassName", spec.ingressClassName, dnsSubdomainErrors),
  ];
}

function ruleErrors(rule: Fields, path: string): FieldError[] {
  const errors = isMissing(rule.host) ? [] : hostErrors(`${path}.host`, rule.host);
  if (!isMissing(rule.host) && parseIp(rule.host) !== undefined) {
    errors.unshift(invalid(`${path}.host`, rule.host, "must be a DNS name, not an IP address"));
  }
  if (rule.http == null) return errors;
  const paths: readonly Fields[] = rule.http.paths ?? [];
  if (paths.length === 0) errors.push(required(`${path}.http.paths`));
  return [...errors, ...paths.flatMap((item, index) => pathErrors(item, `${path}.http.paths[${index}]`))];
}

function hostErrors(path: string, host: string): FieldError[] {
  return textErrors(path, host, host.includes("*") ? wildcardSubdomainErrors : dnsSubdomainErrors);
}

const badParts = ["//", "/./", "/../", "%2f", "%2F"];
const badEnds = ["/..", "/."];

function pathErrors(item: Fields, path: string): FieldError[] {
  const type = item.pathType;
  const text: string = item.path ?? "";
  if (type == null) return [required(`${path}.pathType`, "pathType must be specified")];
  const errors: FieldError[] = [];
  const known = type === "Exact" || type === "Prefix" || type === "ImplementationSpecific";
  if (!known) {
    errors.push(notSupported(`${path}.pathType`, namedText(type), ["Exact", "ImplementationSpecific", "Prefix"]));
  } else if (!text.startsWith("/") && (type !== "ImplementationSpecific" || text !== "")) {
    errors.push(invalid(`${path}.path`, text, "must be an absolute path"));
  }
  if (type === "Exact" || type === "Prefix") {
    for (const part of badParts) {
      if (text.includes(part)) errors.push(invalid(`${path}.path`, text, `must not contain '${part}'`));
    }
    for (const end of badEnds) {
      if (text.endsWith(end)) errors.push(invalid(`${path}.path`, text, `cannot end with '${end}'`));
    }
  }
  return [...errors, ...backendErrors(item.backend ?? {}, `${path}.backend`)];
}

function backendErrors(backend: Fields, path: string): FieldError[] {
  const { resource, service } = backend;
  if (resource != null && service != null) return [invalid(path, "", "cannot set both resource and service backends")];
  if (resource != null) {
    return [
      ...givenText(`${path}.resource.apiGroup`, resource.apiGroup, dnsSubdomainErrors),
      ...["kind", "name"].flatMap((field) =>
        isMissing(resource[field])
          ? [required(`${path}.resource.${field}`)]
          : textErrors(`${path}.resource.${field}`, resource[field], pathSegmentErrors),
      ),
    ];
  }
  if (service == null) return [invalid(path, "", "resource or service backend is required")];
  const errors = isMissing(service.name)
    ? [required(`${path}.service.name`)]
    : textErrors(`${path}.service.name`, service.name, dnsLabelErrors);
  return [...errors, ...backendPortErrors(service.port ?? {}, path)];
}

function backendPortErrors(port: Fields, path: string): FieldError[] {
  const [named, numbered] = [!isMissing(port.name), Boolean(port.number)];
  if (named && numbered) return [invalid(path, "", "cannot set both port name & port number")];
  if (named) return textErrors(`${path}.service.port.name`, port.name, portNameErrors);
  if (numbered) return portNumber(`${path}.service.port.number`, port.number);
  return [required(path, "port name or number is required")];
}

function tlsErrors(list: readonly Fields[]): FieldError[] {
  return list.flatMap((tls, index) => [
    ...(tls.hosts ?? []).flatMap((host: string, place: number) =>
      hostErrors(`spec.tls[${index}].hosts[${place}]`, host),
    ),
    ...optionalText(`spec.tls[${index}].secretName`, tls.secretName, dnsSubdomainErrors),
  ]);
}
