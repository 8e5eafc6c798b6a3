import { readFileSync } from "node:fs";
import { serverVersion } from "#app/server-version.ts";
import type { AddCommand } from "./command.ts";

export function programVersion(): string {
  // the bundle lies in dist/, the source two folders deep: both have package.json above
  const near = new URL("../package.json", import.meta.url);
  const file = import.meta.url.endsWith(".ts") ? new URL("../../package.json", import.meta.url) : near;
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version; // our own package
}

/** `flotilla version` */
export const addVersion: AddCommand = (program, output) => {
  program
    .command("version")
    .summary("print the versions of Flotilla and of the Kubernetes API it serves")
    .option("-o, --output <format>", "json")
    .action(({ output: format }: { output?: string }) => {
      const versions = { flotilla: programVersion(), kubernetes: serverVersion, node: process.version };
      if (format === "json") output.line(JSON.stringify(versions, null, 2));
      else for (const [name, version] of Object.entries(versions)) output.line(`${name.padEnd(12)}${version}`);
    });
};
