import { byteLength } from "#base/byte-length.ts";
import { type FieldError, invalid, tooLong } from "#base/field-error.ts";
import { qualifiedNameErrors } from "./names.ts";

const maxAnnotationBytes = 256 * 1024;

/** What is wrong with annotations: keys are qualified names in any case, all together have a size limit. */
export function annotationErrors(
  annotations: Readonly<Record<string, string>> | undefined | null,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    for (const message of qualifiedNameErrors(key.toLowerCase())) errors.push(invalid(path, key, message));
    bytes += byteLength(key) + byteLength(value);
  }
  if (bytes > maxAnnotationBytes) errors.push(tooLong(path, maxAnnotationBytes));
  return errors;
}
