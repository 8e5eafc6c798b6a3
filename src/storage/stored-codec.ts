import type { SharedTexts } from "./shared-texts.ts";

/** How values are kept on disk: `decode(encode(value))` equals the value. */
export interface Codec<Value> {
  readonly encode: (value: Value) => string;
  readonly decode: (text: string) => Value;
  /** Those that encoded values name instead of having them. */
  readonly shared?: SharedTexts;
}
