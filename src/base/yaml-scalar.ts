import { RawNumber } from "./json.ts";

const words: ReadonlyMap<string, boolean | null> = new Map([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((word) => [word, true] as const),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((word) => [word, false] as const),
]);
const decimal = /^[-+]?(0|[1-9][0-9]*)$/;
const based = /^([-+]?)0(x[0-9a-fA-F]+|b[01]+|o?[0-7]+)$/;
const float = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

/**
 * What an unquoted scalar means in kubectl's YAML (Go's yaml.v2, YAML 1.1): `y` is true, `0644` is octal, `22:22` and dates are
 * strings. Integers beyond 2^53 keep their digits.
 */
export function resolvePlainScalar(text: string): unknown {
  const word = words.get(text);
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  // + - . or a digit; everything else is a string
  if (!(first === 0x2b || first === 0x2d || first === 0x2e || (first >= 0x30 && first <= 0x39))) return text;
  if (/^[-+]?\.(inf|Inf|INF)$/.test(text))
    return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^\.(nan|NaN|NAN)$/.test(text)) return Number.NaN;
  const plain = text.replaceAll("_", "");
  if (decimal.test(plain)) return integer(BigInt(plain.replace(/^\+/, "")));
  const match = based.exec(plain);
  if (match !== null) {
    const digits = match[2]!;
    const magnitude = BigInt(/^[xbo]/.test(digits) ? `0${digits}` : `0o${digits}`);
    return integer(match[1] === "-" ? -magnitude : magnitude);
  }
  return float.test(plain) ? Number(plain) : text;
}

const int64Min = -(2n ** 63n);
const uint64Max = 2n ** 64n - 1n;

function integer(value: bigint): number | RawNumber {
  const number = Number(value);
  if (String(number) === String(value)) return number;
  return value >= int64Min && value <= uint64Max ? new RawNumber(String(value)) : number;
}
