import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { HintedError } from "#base/hinted-error.ts";

/** The text of a file, up to a size: neither a mistaken path nor a device fills the memory. Undefined when there is no such file. */
export function readBoundedFile(file: string, maxBytes: number): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch (error: unknown) {
    const { code } = error as NodeJS.ErrnoException; // what Node throws here
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new HintedError(`cannot read ${file}: ${code}`, "look at its owner and permissions", { cause: error });
  }
  try {
    if (fstatSync(descriptor).isDirectory())
      throw new HintedError(`cannot read ${file}: it is a folder`, "name a file");
    return textOf(descriptor, { file, maxBytes });
  } finally {
    closeSync(descriptor);
  }
}

function textOf(descriptor: number, { file, maxBytes }: { readonly file: string; readonly maxBytes: number }): string {
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += read;
    if (length > maxBytes)
      throw new HintedError(`cannot read ${file}: it has more than ${maxBytes} bytes`, "is it the right file?");
    if (read === 0) return buffer.toString("utf8", 0, length);
  }
}
