import { X509Certificate } from "node:crypto";
import type { Random } from "#base/random.ts";
import { createAuthority, type KeyPair } from "../certificate-authority.ts";
import { type CertificateFacts, certificateLifeMs, clockSkewMs } from "./decide-certificate.ts";

/** A certificate with the authority that signed it, and whose key nobody has kept. */
export interface ServingCertificate extends KeyPair {
  readonly authority: string;
}

/** Plain data: it is handed to another process. */
export interface ServingRequest {
  readonly names: readonly string[];
  readonly nowMs: number;
  /** Tells its authority from others, whatever order a bundle has. */
  readonly authorityId: string;
  /** Hexadecimal. */
  readonly serial: string;
}

/** A request for a certificate that is like no other. */
export function servingRequest(
  about: Pick<ServingRequest, "names" | "nowMs">,
  random: Pick<Random, "uuid">,
): ServingRequest {
  return { ...about, authorityId: random.uuid(), serial: random.uuid().replaceAll("-", "") };
}

/** Makes an authority for one certificate: nothing else can ever be signed by it. */
export async function createServingCertificate(request: ServingRequest): Promise<ServingCertificate> {
  const { names, nowMs, authorityId, serial } = request;
  const authority = await createAuthority({
    name: `CN=flotilla-webhook-ca-${authorityId}`,
    notBeforeMs: nowMs - clockSkewMs,
    notAfterMs: nowMs + certificateLifeMs,
  });
  const subject = "CN=flotilla-webhook";
  const pair = await authority.issue({ serial, subject, usage: "server", names });
  return { ...pair, authority: authority.keyPair.certificate };
}

/** What a certificate says of itself; undefined when it is none. */
export function factsOf(pem: string): CertificateFacts | undefined {
  try {
    const certificate = new X509Certificate(pem);
    return {
      notBeforeMs: Date.parse(certificate.validFrom),
      notAfterMs: Date.parse(certificate.validTo),
      names: (certificate.subjectAltName ?? "").split(", ").map((each) => each.replace(/^(DNS|IP Address):/, "")),
    };
  } catch {
    return undefined;
  }
}
