/** How many bytes a string takes in UTF-8: what Kubernetes counts when it limits a length. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    if (code < 0x800) bytes += 1;
    // each half of a surrogate pair counts one unit already and adds one: four bytes a pair
    else if (code >= 0xd800 && code <= 0xdfff) bytes += 1;
    else bytes += 2;
  }
  return bytes;
}
