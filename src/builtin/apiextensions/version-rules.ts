import { dns1035LabelErrors } from "#api/meta/names.ts";
import type { Fields } from "#api/meta/object-meta.ts";
import { byteLength } from "#base/byte-length.ts";
import { type FieldError, invalid, namedText, required } from "#base/field-error.ts";
import { goQuote } from "#base/go-text.ts";
import { isMissing, requiredText } from "../value-rules.ts";

/** What is wrong with one version of a definition, but for its schema. */
export function versionErrors(version: Fields, path: string): FieldError[] {
  const name = dns1035LabelErrors(version.name ?? "");
  const warning: string | null = version.deprecationWarning ?? null;
  return [
    ...(name.length > 0 ? [invalid(`${path}.name`, version.name ?? "", name.join(","))] : []),
    ...(warning === null ? [] : warningProblems(warning, version.deprecated === true)).map((problem) =>
      invalid(`${path}.deprecationWarning`, namedText(warning), problem),
    ),
    ...scaleErrors(version.subresources?.scale, `${path}.subresources.scale`),
    ...(version.additionalPrinterColumns ?? []).flatMap((column: Fields, index: number) =>
      columnErrors(column, `${path}.additionalPrinterColumns[${index}]`),
    ),
  ];
}

const maxWarningBytes = 256;

function warningProblems(warning: string, deprecated: boolean): readonly string[] {
  if (!deprecated) return ["can only be set for deprecated versions"];
  return [
    ...(byteLength(warning) > maxWarningBytes ? [`must be <= ${maxWarningBytes} characters long`] : []),
    ...(warning === "" ? ["must not be an empty string"] : []),
    ...unprintable(warning),
  ];
}

function unprintable(text: string): readonly string[] {
  let index = 0;
  for (const rune of text) {
    if (goQuote(rune).includes("\\") && rune !== "\\" && rune !== '"')
      return [`must only contain printable UTF-8 characters; non-printable character found at index ${index}`];
    index += byteLength(rune);
  }
  return [];
}

/** What is wrong with where a definition's replicas are. */
export function scaleErrors(scale: Fields | undefined, path: string): FieldError[] {
  if (scale == null) return [];
  const places: readonly (readonly [field: string, roots: readonly string[], words: string])[] = [
    ["specReplicasPath", [".spec."], ".spec"],
    ["statusReplicasPath", [".status."], ".status"],
    ["labelSelectorPath", [".spec.", ".status."], "either .spec or .status"],
  ];
  return places.flatMap(([field, roots, words]) => {
    const at = `${path}.${field}`;
    const value: string = scale[field] ?? "";
    if (value === "") return field === "labelSelectorPath" ? [] : [required(at)];
    const odd = jsonPathErrors(value, at);
    if (odd.length > 0 || roots.some((root) => value.startsWith(root))) return odd;
    return [invalid(at, value, `should be a json path under ${words}`)];
  });
}

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/** What is wrong with a column of tables. */
export function columnErrors(column: Fields, path: string): FieldError[] {
  const types = `must be one of ${columnTypes.join(",")}`;
  const errors = requiredText(`${path}.name`, column.name);
  if (isMissing(column.type)) errors.push(required(`${path}.type`, types));
  else if (!columnTypes.includes(column.type)) errors.push(invalid(`${path}.type`, column.type, types));
  if (!isMissing(column.format) && !columnFormats.includes(column.format))
    errors.push(invalid(`${path}.format`, column.format, `must be one of ${columnFormats.join(",")}`));
  const at = `${path}.JSONPath`;
  return [...errors, ...(isMissing(column.jsonPath) ? [required(at)] : jsonPathErrors(column.jsonPath, at))];
}

function jsonPathErrors(value: string, path: string): FieldError[] {
  return value.startsWith(".") ? [] : [invalid(path, value, "must be a simple json path starting with .")];
}
