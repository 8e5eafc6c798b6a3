/** FNV-1a, 32 bit, over the UTF-8 bytes of a text. */
export function fnv1a32(text: string): number {
  let hash = 0x811c9dc5;
  const add = (byte: number) => {
    hash = Math.imul(hash ^ byte, 0x01000193);
  };
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
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
