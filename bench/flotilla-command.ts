import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** `flotilla plan` ends with this code where something would change. */
const changesCode = 3;

/** Gives a command as people do, in a process of its own, and returns what it printed. */
export function runFlotilla(words: readonly string[]): Promise<string> {
  const program = fileURLToPath(new URL("./flotilla.js", import.meta.url)); // beside this bundle
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...words], { maxBuffer: 2 ** 28 }, (error, printed) => {
      if (error === null || error.code === changesCode) resolve(printed);
      else reject(error);
    });
  });
}
