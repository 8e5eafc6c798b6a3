import { byteLength } from "#base/byte-length.ts";
import { type FieldError, invalid, tooLong } from "#base/field-error.ts";
import { qualifiedNameErrors } from "./names.ts";

const maxAnnotationBytes = 256 * 1024;

/** What is wrong with annotations: keys are qualified names in any case, all together have a size limit. */
export function annotationErrors(
  annotations: Readonly<Record<string, string>> | undefined | null,
  path: string,
): FieldError[] {
  const entries = Object.entries(annotations ?? {});
  const errors = entries.flatMap(([key]) =>
    qualifiedNameErrors(key.toLowerCase()).map((message) => invalid(path, key, message)),
  );
  const bytes = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return bytes > maxAnnotationBytes ? [...errors, tooLong(path, maxAnnotationBytes)] : errors;
}
