const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/** FNV-1a of a text's UTF-8 bytes, as an unsigned 32-bit number. */
export function fnv1a32(text: string): number {
  let hash = offsetBasis;
  const add = (byte: number): void => {
    hash = Math.imul(hash ^ byte, prime);
  };
  // a lone surrogate has no UTF-8 form; Go writes U+FFFD for it
  for (const character of text.isWellFormed() ? text : text.toWellFormed()) {
    const code = character.codePointAt(0)!;
    if (code < 0x80) add(code);
    else {
      if (code < 0x800) add(0xc0 | (code >> 6));
      else {
        if (code < 0x10000) add(0xe0 | (code >> 12));
        else {
          add(0xf0 | (code >> 18));
          add(0x80 | ((code >> 12) & 0x3f));
        }
        add(0x80 | ((code >> 6) & 0x3f));
      }
      add(0x80 | (code & 0x3f));
    }
  }
  return hash >>> 0;
}
