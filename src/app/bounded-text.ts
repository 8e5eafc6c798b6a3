import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { HintedError } from "#base/hinted-error.ts";

const chunkBytes = 64 * 1024;

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
    const text = new BoundedText(file, maxBytes);
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const length = readSync(descriptor, chunk);
      if (length === 0) return text.toString();
      text.add(chunk.subarray(0, length));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** The text that a stream brings until it ends, up to a size: it may have no end. */
export async function readBoundedStream(
  source: AsyncIterable<Buffer>,
  { name, maxBytes }: { readonly name: string; readonly maxBytes: number },
): Promise<string> {
  const text = new BoundedText(name, maxBytes);
  for await (const chunk of source) text.add(chunk);
  return text.toString();
}

class BoundedText {
  readonly #name: string;
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(name: string, maxBytes: number) {
    this.#name = name;
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes)
      throw new HintedError(
        `cannot read ${this.#name}: it has more than ${this.#maxBytes} bytes`,
        "is it the right one?",
      );
    this.#chunks.push(chunk);
  }

  toString(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
