import { parseIp } from "#base/ip-address.ts";

/** What is known of a certificate that is kept. */
export interface CertificateFacts {
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** DNS names and addresses that it is good for. */
  readonly names: readonly string[];
}

export interface CertificateSituation {
  readonly nowMs: number;
  /** What it must be good for. */
  readonly names: readonly string[];
  readonly current: CertificateFacts | undefined;
  /** The one that follows: made, its authority told to everybody, not in use yet. */
  readonly next: CertificateFacts | undefined;
  /** Whether every configuration has the authorities of both. */
  readonly isPublished: boolean;
}

/**
 *   nothing ── make ──> current ── two thirds of its life ──> current, next ── told, and an hour ──> the next is current
 *
 * The authority of a certificate that was replaced stays believed until the next replacement, so replicas may follow at leisure.
 */
export type CertificateStep =
  /** At once: there is none that can be used. */
  | { readonly do: "make current" }
  | { readonly do: "make next" }
  | { readonly do: "promote next" }
  /** Nothing to do before then. */
  | { readonly do: "wait"; readonly untilMs: number };

export const certificateLifeMs = 90 * 24 * 3_600_000;
/** How long an authority is told to everybody before anything is signed by it: other API servers have caches, too. */
export const overlapMs = 3_600_000;
/** Clocks differ: a certificate is valid from a little before it was made. */
export const clockSkewMs = 300_000;

/** What is to be done about the certificate now. */
export function decideCertificate({ nowMs, names, current, next, isPublished }: CertificateSituation): CertificateStep {
  if (current === undefined || !isUsable(current, nowMs) || !coversAll(current, names)) return { do: "make current" };
  if (next !== undefined && isUsable(next, nowMs) && coversAll(next, names)) {
    const promotedMs = next.notBeforeMs + clockSkewMs + overlapMs;
    if (isPublished && nowMs >= promotedMs) return { do: "promote next" };
    return { do: "wait", untilMs: Math.max(promotedMs, nowMs) };
  }
  const renewedMs = current.notBeforeMs + (2 / 3) * (current.notAfterMs - current.notBeforeMs);
  return nowMs >= renewedMs ? { do: "make next" } : { do: "wait", untilMs: renewedMs };
}

function isUsable({ notBeforeMs, notAfterMs }: CertificateFacts, nowMs: number): boolean {
  return notBeforeMs <= nowMs && nowMs < notAfterMs;
}

function coversAll(certificate: CertificateFacts, names: readonly string[]): boolean {
  return names.every((name) => certificate.names.some((each) => isSameName(each, name)));
}

/** Addresses are written in several ways. */
function isSameName(a: string, b: string): boolean {
  const [x, y] = [parseIp(a), parseIp(b)];
  if (x === undefined || y === undefined) return a === b;
  return x.family === y.family && x.value === y.value;
}
