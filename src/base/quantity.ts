/** An amount as Kubernetes writes it (`500m`, `1Gi`, `1e3`), exact to the billionth. */
export interface Quantity {
  readonly nanos: bigint;
  /** How it was written, and hence how it is printed. */
  readonly format: QuantityFormat;
}

export type QuantityFormat = "BinarySI" | "DecimalSI" | "DecimalExponent";

const nano = 1_000_000_000n;
const milli = 1_000_000n;
/** A binary amount is capped here, as upstream does. */
const maxBinary = (2n ** 63n - 1n) * nano;
/** Larger exponents name no real amount; without a bound a short text could cost any amount of memory. */
const maxExponent = 400;

const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const decimalSuffixes: ReadonlyMap<number, string> = new Map(
  Object.entries({ ...decimalExponents, "": 0 }).map(([suffix, exponent]) => [exponent, suffix]),
);
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const exponentShape = /^[eE][-+]?[0-9]+$/;
/** What a suffix means; exponents (`e3`) are read apart. */
const units: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ...[...decimalSuffixes].map(([exponent, suffix]): [string, Unit] => [suffix, { exponent, format: "DecimalSI" }]),
  ...binarySuffixes
    .slice(1)
    .map((suffix, at): [string, Unit] => [suffix, { exponent: (at + 1) * 10, format: "BinarySI" }]),
]);
const zero = 48;
const nine = 57;
const point = 46;

/** Reads an amount; undefined when it is none. A part below a billionth is rounded away from zero. */
export function parseQuantity(text: string): Quantity | undefined {
  const parts = splitQuantity(text);
  return parts && amountOf(parts);
}

function amountOf({ sign, whole, fraction, exponent, format }: QuantityParts): Quantity {
  const digits = BigInt(`${whole}${fraction}` || "0");
  const magnitude =
    format === "BinarySI"
      ? ceilDivide(digits * nano * 2n ** BigInt(exponent), 10n ** BigInt(fraction.length))
      : scaled(digits, exponent - fraction.length + 9);
  const capped = format === "BinarySI" && magnitude > maxBinary ? maxBinary : magnitude;
  return { nanos: sign === "-" ? -capped : capped, format };
}

/** The canonical text: no fraction, the largest suffix that keeps it exact. */
export function printQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return "0";
  const sign = nanos < 0n ? "-" : "";
  const magnitude = nanos < 0n ? -nanos : nanos;
  if (format === "BinarySI" && magnitude >= 1024n * nano && magnitude % nano === 0n) {
    return sign + printBinary(magnitude / nano);
  }
  let mantissa = magnitude;
  let exponent = -9;
  while (mantissa % 1000n === 0n && (format === "DecimalExponent" || exponent < 18)) {
    mantissa /= 1000n;
    exponent += 3;
  }
  if (format === "DecimalExponent") return `${sign}${mantissa}${exponent === 0 ? "" : `e${exponent}`}`;
  return `${sign}${mantissa}${decimalSuffixes.get(exponent) ?? ""}`;
}

/** Below zero when a is less than b, above when it is more. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
}

/**
 * The text of an amount as an API server gives it back; a text that is no amount stays as it is.
 * Resource lists are kept in thousandths: finer amounts are rounded up.
 */
export function canonicalQuantity(text: string, rounding: "none" | "milli" = "none"): string {
  const parts = splitQuantity(text);
  if (parts === undefined || keepsItsText(parts, rounding === "milli" ? -3 : -9)) return text;
  const quantity = amountOf(parts);
  if (rounding === "none") return printQuantity(quantity);
  const magnitude = quantity.nanos < 0n ? -quantity.nanos : quantity.nanos;
  const rounded = ceilDivide(magnitude, milli) * milli;
  return printQuantity({ ...quantity, nanos: quantity.nanos < 0n ? -rounded : rounded });
}

/** Upstream keeps some texts that are nearly canonical (`1.500`, `1024k`), and clients see them. */
function keepsItsText({ whole, fraction, exponent, format }: QuantityParts, finestScale: number): boolean {
  const digits = `${whole}${fraction}`;
  if (format === "BinarySI") {
    const roomy = 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1 >= 0;
    return roomy && fraction === "" && Number(digits) % 8 !== 0;
  }
  const scale = exponent - fraction.length;
  const aligned = scale >= finestScale && scale % 3 === 0;
  return digits.length <= 18 && aligned && whole !== "" && !digits.endsWith("000");
}

interface Unit {
  readonly exponent: number;
  readonly format: QuantityFormat;
}

interface QuantityParts extends Unit {
  readonly sign: string;
  /** Without leading zeros. */
  readonly whole: string;
  readonly fraction: string;
}

/** By hand, since every amount of every object passes here several times. */
function splitQuantity(text: string): QuantityParts | undefined {
  const sign = text.startsWith("-") ? "-" : text.startsWith("+") ? "+" : "";
  const wholeEnd = digitsEnd(text, sign.length);
  const fractionStart = text.charCodeAt(wholeEnd) === point ? wholeEnd + 1 : wholeEnd;
  const fractionEnd = fractionStart === wholeEnd ? wholeEnd : digitsEnd(text, fractionStart);
  if (wholeEnd === sign.length && fractionEnd === fractionStart) return undefined; // no digit at all
  let wholeStart = sign.length;
  while (wholeStart < wholeEnd && text.charCodeAt(wholeStart) === zero) wholeStart++;
  const unit = unitOf(text.slice(fractionEnd));
  if (unit === undefined) return undefined;
  const { exponent, format } = unit;
  return {
    sign,
    whole: text.slice(wholeStart, wholeEnd),
    fraction: text.slice(fractionStart, fractionEnd),
    exponent,
    format,
  };
}

function digitsEnd(text: string, start: number): number {
  let end = start;
  for (let code = text.charCodeAt(end); code >= zero && code <= nine; code = text.charCodeAt(++end));
  return end;
}

function unitOf(suffix: string): Unit | undefined {
  const known = units.get(suffix);
  if (known !== undefined || !exponentShape.test(suffix)) return known;
  const exponent = Number(suffix.slice(1));
  return Math.abs(exponent) > maxExponent ? undefined : { exponent, format: "DecimalExponent" };
}

function scaled(digits: bigint, exponent: number): bigint {
  return exponent >= 0 ? digits * 10n ** BigInt(exponent) : ceilDivide(digits, 10n ** BigInt(-exponent));
}

function ceilDivide(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor;
}

function printBinary(whole: bigint): string {
  let mantissa = whole;
  let power = 0;
  while (mantissa % 1024n === 0n && power < binarySuffixes.length - 1) {
    mantissa /= 1024n;
    power++;
  }
  return `${mantissa}${binarySuffixes[power] ?? ""}`;
}
