import type { Draft, Fields } from "#api/meta/object-meta.ts";
import type { Strategy } from "#api/meta/resource-type.ts";
import { type FieldError, invalid, required, tooLong } from "#base/field-error.ts";
import { isJsonObject, setMember } from "#base/json.ts";
import { JsonSyntaxError, parseJson } from "#base/parse-json.ts";
import { configKeyErrors, immutableName, textErrors } from "../value-rules.ts";
import { decodedLength, fromBase64, toBase64 } from "./base64.ts";
import { frozenErrors, maxConfigBytes, sum } from "./config-map.ts";
import { keyPairProblems } from "./key-pair.ts";

/** Secrets. */
export const secretStrategy: Strategy = {
  generation: "none",
  unconditionalUpdate: true,
  fieldSelectors: { type: ({ type }: Fields) => type ?? "" },
  applyDefaults: (draft: Draft) => {
    draft.type ||= "Opaque";
    mergeStringData(draft);
  },
  warnings: ({ type, data }: Fields) => (type === "kubernetes.io/tls" ? keyPairProblems(data ?? {}) : []),
  validate: validateSecret,
  validateUpdate: (object: Fields, old: Fields) => [
    ...immutableName("type", object.type, old.type),
    ...frozenErrors(object, old, ["data"]),
  ],
};

/** `stringData` is for writing only: it is put into `data` and forgotten. */
function mergeStringData(draft: Draft): void {
  for (const [key, value] of Object.entries(draft.stringData ?? {})) {
    draft.data ??= {};
    setMember(draft.data, key, toBase64(String(value)));
  }
  delete draft.stringData;
}

function validateSecret(object: Fields): FieldError[] {
  const data: Readonly<Record<string, string>> = object.data ?? {};
  const errors = Object.keys(data).flatMap((key) => textErrors(`data[${key}]`, key, configKeyErrors));
  if (sum(Object.values(data).map(decodedLength)) > maxConfigBytes) errors.push(tooLong("data", maxConfigBytes));
  return [...errors, ...typeErrors(object, data)];
}

function typeErrors(object: Fields, data: Readonly<Record<string, string>>): FieldError[] {
  const missing = (...keys: readonly string[]) =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));
  switch (object.type) {
    case "kubernetes.io/service-account-token": {
      const key = "kubernetes.io/service-account.name";
      return object.metadata.annotations?.[key] ? [] : [required(`metadata.annotations[${key}]`)];
    }
    case "kubernetes.io/dockercfg":
      return dockerErrors(data, ".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return dockerErrors(data, ".dockerconfigjson");
    case "kubernetes.io/basic-auth":
      return missing("username", "password").length === 2 ? missing("username", "password") : [];
    case "kubernetes.io/ssh-auth":
      return data["ssh-privatekey"] ? [] : [required("data[ssh-privatekey]")];
    case "kubernetes.io/tls":
      return missing("tls.crt", "tls.key");
    default:
      return [];
  }
}

function dockerErrors(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  const content = data[key];
  if (content === undefined) return [required(`data[${key}]`)];
  const problem = jsonProblem(fromBase64(content));
  return problem === undefined ? [] : [invalid(`data[${key}]`, "<secret contents redacted>", problem)];
}

function jsonProblem(text: string): string | undefined {
  try {
    return isJsonObject(parseJson(text).value)
      ? undefined
      : "json: cannot unmarshal into Go value of type map[string]interface {}";
  } catch (error: unknown) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
}
