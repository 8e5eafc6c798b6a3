import { dnsLabelErrors, dnsSubdomainErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, invalid, required, tooLong } from "#base/field-error.ts";
import { isMissing, requiredText, textErrors } from "../value-rules.ts";

/** What is wrong with the name of a driver, which must be there. */
export function driverNameErrors(path: string, name: string): FieldError[] {
  if (name === "") return [required(path)];
  return [
    ...(byteLength(name) > 63 ? [tooLong(path, 63)] : []),
    ...dnsSubdomainErrors(name.toLowerCase()).map((message) => invalid(path, name, message)),
  ];
}

/** What is wrong with a volume that a driver makes for one pod; upstream names the secret by another path. */
export function podCsiErrors(source: Fields, path: string): FieldError[] {
  const secret = source.nodePublishSecretRef;
  const errors = driverNameErrors(`${path}.driver`, source.driver ?? "");
  if (secret == null) return errors;
  return isMissing(secret.name)
    ? [...errors, required(`${path}.nodePublishSecretRef.name`)]
    : [...errors, ...textErrors(`${path}.name`, secret.name, dnsSubdomainErrors)];
}

const secrets = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
];

/** What is wrong with a persistent volume of a driver. */
export function persistentCsiErrors(source: Fields, path: string): FieldError[] {
  return [
    ...driverNameErrors(`${path}.driver`, source.driver ?? ""),
    ...requiredText(`${path}.volumeHandle`, source.volumeHandle),
    ...secrets.flatMap((field) => (source[field] == null ? [] : secretErrors(source[field], `${path}.${field}`))),
  ];
}

function secretErrors({ name, namespace }: Fields, path: string): FieldError[] {
  return [
    ...(isMissing(name) ? [required(`${path}.name`)] : textErrors(`${path}.name`, name, dnsSubdomainErrors)),
    ...(isMissing(namespace)
      ? [required(`${path}.namespace`)]
      : textErrors(`${path}.namespace`, namespace, dnsLabelErrors)),
  ];
}
