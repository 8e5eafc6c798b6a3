import { stringifyJson } from "#base/json.ts";
import { printYaml } from "#base/print-yaml.ts";
import type { NewObject } from "#client/client.ts";
import type { Output } from "../command.ts";

/** Prints manifests one after the other, as kubectl apply reads them. */
export function printDocuments(output: Output, objects: readonly NewObject[], format: "yaml" | "json" | "name"): void {
  for (const [index, object] of objects.entries()) {
    if (format === "name") output.line(`${object.kind.toLowerCase()}/${object.metadata.name}`);
    else if (format === "json") output.line(stringifyJson(object, { indent: 2 }));
    else output.line(`${index === 0 ? "" : "---\n"}${printYaml(object).trimEnd()}`);
  }
}
