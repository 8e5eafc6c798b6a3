// Enumerations. The published documents are made without them; the generated Go code, which a server answers from, has them.
import { readFileSync } from "node:fs";

const definitions = "pkg/generated/openapi/zz_generated.openapi.go";

/** Adds `enum` and the longer description to the schemas of k8s.io/api, in place. Returns how many fields got one. */
export function addEnums(folders, schemas) {
  const text = readFileSync(`${folders["k8s.io/kubernetes"]}/${definitions}`, "utf8");
  let schema;
  let property;
  let description;
  let added = 0;
  for (const line of text.split("\n")) {
    const opening = /^func schema_k8sio_api_(\w+)\(/.exec(line);
    if (opening !== null) schema = schemas[`io.k8s.api.${opening[1].replaceAll("_", ".")}`];
    else if (line.startsWith("func ")) schema = undefined;
    if (schema === undefined) continue;
    property = /^\t{5}"([^"]+)": \{$/.exec(line)?.[1] ?? property;
    description = /^\t{7}Description: +(".*"),$/.exec(line)?.[1] ?? description;
    const values = /^(\t+)Enum: +\[\]interface\{\}\{(.*)\},$/.exec(line);
    if (values === null) continue;
    const target = schema.properties[property];
    // Deeper than the property itself: the items of a list or the values of a map.
    (values[1].length > 7 ? (target.items ?? target.additionalProperties) : target).enum = JSON.parse(`[${values[2]}]`);
    target.description = JSON.parse(description);
    added++;
  }
  return added;
}
