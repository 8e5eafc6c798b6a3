import { SharedTexts } from "#storage/shared-texts.ts";

/** Keeps the end of a value once for all values that have it. */
export function sharingCodec() {
  const shared = new SharedTexts();
  return {
    shared,
    encode(value: string): string {
      const id = shared.idOf(value.slice(-2));
      return id === undefined ? `=${value}` : `${id}=${value.slice(0, -2)}`;
    },
    decode(text: string): string {
      const at = text.indexOf("=");
      const end = at === 0 ? "" : shared.textOf(Number(text.slice(0, at)));
      if (end === undefined) throw new Error(`there is no shared text for "${text}"`);
      return `${text.slice(at + 1)}${end}`;
    },
  };
}
