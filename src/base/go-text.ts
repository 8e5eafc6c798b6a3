/** A string as Go's `%q` prints it. Error texts on the wire are made of it. */
export function goQuote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let quoted = "";
  for (const rune of text) quoted += goRune(rune);
  return `"${quoted}"`;
}

/** A float64 as Go's `%v` prints it: `1.5`, `3e+09`. */
export function goFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  const exponential = value.toExponential();
  const exponent = Number(exponential.slice(exponential.indexOf("e") + 1));
  if (exponent >= -4 && exponent < 6) return String(value);
  return exponential.replace(/e([-+])([0-9])$/, "e$10$2");
}

const plain = /^[ !#-[\]-~]*$/;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

function goRune(rune: string): string {
  const escaped = escapes[rune];
  if (escaped !== undefined) return escaped;
  const code = rune.codePointAt(0)!;
  if (code >= 0xd800 && code <= 0xdfff) return "\\ufffd";
  if (printable.test(rune)) return rune;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
}
