import { type FieldError, invalid } from "#base/field-error.ts";

/** A path that never goes up. */
export function backstepErrors(path: string, value: string): FieldError[] {
  return value.split("/").includes("..") ? [invalid(path, value, "must not contain '..'")] : [];
}

/** A relative path that stays below where it starts. */
export function descendingPathErrors(path: string, value: string): FieldError[] {
  const absolute = value.startsWith("/") ? [invalid(path, value, "must be a relative path")] : [];
  return [...absolute, ...backstepErrors(path, value)];
}

/** A path below a volume, where `..data` is the kubelet's own. */
export function localPathErrors(path: string, value: string): FieldError[] {
  const errors = descendingPathErrors(path, value);
  if (value.startsWith("..") && !value.startsWith("../")) errors.push(invalid(path, value, "must not start with '..'"));
  return errors;
}
