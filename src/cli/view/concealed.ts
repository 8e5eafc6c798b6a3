import { isJsonObject } from "#base/json.ts";

/** What `kubectl apply` leaves on an object: all of it once more. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * A value as a description may show it to whoever looks over somebody's shoulder: of secrets, wherever they are in it, and of what is sent to
 * proxies there is the size alone, as in kubectl.
 */
export function concealed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(concealed);
  if (!isJsonObject(value)) return value;
  const isSecret = value["kind"] === "Secret" && value["apiVersion"] === "v1";
  const shown = Object.entries(value)
    .filter(([key]) => key !== lastApplied)
    .map(([key, part]) => {
      if (isSecret && key === "data") return [key, sizesOf(part, "base64")];
      const isPlain = key === "proxyHeader" || (isSecret && key === "stringData");
      return [key, isPlain ? sizesOf(part, "utf8") : concealed(part)];
    });
  return Object.fromEntries(shown);
}

function sizesOf(values: unknown, encoding: "base64" | "utf8"): unknown {
  if (!isJsonObject(values)) return undefined;
  const sizes = Object.entries(values).map(([key, text]) => [
    key,
    `${Buffer.byteLength(String(text), encoding)} bytes`,
  ]);
  return Object.fromEntries(sizes);
}
