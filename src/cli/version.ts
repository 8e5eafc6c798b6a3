import { readFileSync } from "node:fs";
import { serverVersion } from "#app/server-version.ts";
import type { AddCommand } from "./command.ts";
import { addOutputFlag, printDocument } from "./print/print-objects.ts";

export function programVersion(): string {
  // the bundle lies in dist/, the source two folders deep: both have package.json above
  const near = new URL("../package.json", import.meta.url);
  const file = import.meta.url.endsWith(".ts") ? new URL("../../package.json", import.meta.url) : near;
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version; // our own package
}

/** `flotilla version` */
export const addVersion: AddCommand = (program, output) => {
  addOutputFlag(
    program.command("version").summary("print the versions of Flotilla and of the Kubernetes API it serves"),
    ["json", "yaml"],
  )
    .addHelpText("after", "\nExamples:\n  flotilla version\n  flotilla version -o json")
    .action(async ({ output: format }: { readonly output?: "json" | "yaml" }) => {
      const versions = { flotilla: programVersion(), kubernetes: serverVersion, node: process.version };
      if (format !== undefined) return printDocument(output, versions, format);
      for (const [name, version] of Object.entries(versions)) output.line(`${name.padEnd(12)}${version}`);
    });
};
