/** How many bytes a base64 text stands for. */
export function decodedLength(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.floor((text.length * 3) / 4) - padding;
}

/** Text as base64 of its UTF-8 bytes. */
export function toBase64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

/** The text whose UTF-8 bytes a base64 text stands for. */
export function fromBase64(text: string): string {
  return Buffer.from(text, "base64").toString("utf8");
}
