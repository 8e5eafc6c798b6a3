const prime = 0x01000193;

/** FNV-1a, 32 bit, over the UTF-8 bytes of a text. */
export function fnv1a32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) return continued(hash, text.slice(index)) >>> 0;
    hash = Math.imul(hash ^ unit, prime);
  }
  return hash >>> 0;
}

/** The hash after the rest of a text, whatever characters it has. */
function continued(start: number, text: string): number {
  let hash = start;
  const add = (byte: number) => {
    hash = Math.imul(hash ^ byte, prime);
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
  return hash;
}
