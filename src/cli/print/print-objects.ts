import { type Command, Option } from "commander";
import { stringifyJson } from "#base/json.ts";
import { MisuseError, type Output } from "../command.ts";
import { type Table, tableLines } from "./table.ts";

export type Format = "json" | "yaml" | "name" | "wide" | "table";

/** What may be printed in any format. */
export interface Printable {
  readonly objects: readonly PrintedObject[];
  readonly table: () => Table;
}

interface PrintedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string };
}

/** Adds `-o`, with the formats that make sense for the command. */
export function addOutputFlag(command: Command, formats: readonly Exclude<Format, "table">[]): Command {
  const option = new Option("-o, --output <format>", `output format: ${formats.join(", ")}`).argParser((text) => {
    const format = formats.find((each) => each === text);
    if (format !== undefined) return format;
    throw new MisuseError(`cannot print as ${JSON.stringify(text)}`, `the formats are ${formats.join(", ")}`);
  });
  option.argChoices = [...formats]; // for completion; what is wrong is said above, with a hint
  return command.addOption(option);
}

/** Prints objects as data, by name, or as a table when no format was asked for. One object stands alone, several are a list. */
export async function printObjects(output: Output, printable: Printable, format: Format = "table"): Promise<void> {
  const { objects, table } = printable;
  switch (format) {
    case "json":
    case "yaml":
      return printDocument(output, objects.length === 1 ? objects[0] : listOf(objects), format);
    case "name":
      for (const { apiVersion, kind, metadata } of objects)
        output.line(`${kind.toLowerCase()}${groupSuffix(apiVersion)}/${metadata.name}`);
      return;
    case "wide":
    case "table":
      for (const line of tableLines(table(), { wide: format === "wide" })) output.line(line);
  }
}

/** Prints any value as one document. */
export async function printDocument(output: Output, value: unknown, format: "json" | "yaml"): Promise<void> {
  if (format === "json") return output.line(stringifyJson(value, { indent: 2 }));
  const { printYaml } = await import("#base/print-yaml.ts");
  output.line(printYaml(value).trimEnd());
}

function listOf(items: readonly PrintedObject[]) {
  return { apiVersion: "v1", kind: "List", metadata: {}, items };
}

function groupSuffix(apiVersion: string): string {
  const [group, version] = apiVersion.split("/");
  return version === undefined ? "" : `.${group}`;
}
