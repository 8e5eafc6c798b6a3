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

const shape = /^([+-]?)([0-9]+\.?[0-9]*|\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]+)?$/;
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

/** Reads an amount; undefined when it is none. A part below a billionth is rounded away from zero. */
export function parseQuantity(text: string): Quantity | undefined {
  const parts = splitQuantity(text);
  if (parts === undefined) return undefined;
  const { sign, whole, fraction, exponent, format } = parts;
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
  const quantity = parseQuantity(text);
  if (quantity === undefined || keepsItsText(text, rounding === "milli" ? -3 : -9)) return text;
  if (rounding === "none") return printQuantity(quantity);
  const magnitude = quantity.nanos < 0n ? -quantity.nanos : quantity.nanos;
  const rounded = ceilDivide(magnitude, milli) * milli;
  return printQuantity({ ...quantity, nanos: quantity.nanos < 0n ? -rounded : rounded });
}

/** Upstream keeps some texts that are nearly canonical (`1.500`, `1024k`), and clients see them. */
function keepsItsText(text: string, finestScale: number): boolean {
  const { whole, fraction, exponent, format } = splitQuantity(text)!;
  const digits = `${whole}${fraction}`;
  if (format === "BinarySI") {
    const roomy = 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1 >= 0;
    return roomy && fraction === "" && BigInt(digits || "0") % 8n !== 0n;
  }
  const scale = exponent - fraction.length;
  const aligned = scale >= finestScale && scale % 3 === 0;
  return digits.length <= 18 && aligned && whole !== "" && !digits.endsWith("000");
}

interface QuantityParts {
  readonly sign: string;
  /** Without leading zeros. */
  readonly whole: string;
  readonly fraction: string;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function splitQuantity(text: string): QuantityParts | undefined {
  const match = shape.exec(text);
  if (match === null) return undefined;
  const [, sign = "", number = "", suffix = ""] = match;
  const [whole = "", fraction = ""] = number.split(".");
  const digits = { sign, whole: whole.replace(/^0+/, ""), fraction };
  if (suffix.endsWith("i")) return { ...digits, exponent: binarySuffixes.indexOf(suffix) * 10, format: "BinarySI" };
  if (!/[0-9]/.test(suffix)) return { ...digits, exponent: decimalExponents[suffix] ?? 0, format: "DecimalSI" };
  const exponent = Number(suffix.slice(1));
  if (Math.abs(exponent) > maxExponent) return undefined;
  return { ...digits, exponent, format: "DecimalExponent" };
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
