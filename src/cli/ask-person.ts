import { createInterface } from "node:readline";

/** Asks whoever sits at the terminal, and takes nothing but a yes for one; false where nobody does. */
export async function askPerson(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return false;
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    reader.once("close", () => resolve(false)); // Ctrl-C, Ctrl-D
    reader.question(`${question} [y/N] `, (answer) => {
      resolve(/^y(es)?$/i.test(answer.trim()));
      reader.close();
    });
  });
}
