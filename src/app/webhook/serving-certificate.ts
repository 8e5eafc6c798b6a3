import { X509Certificate } from "node:crypto";
import type { Random } from "#base/random.ts";
import { createAuthority, type KeyPair } from "../certificate-authority.ts";
import { type CertificateFacts, certificateLifeMs, clockSkewMs } from "./decide-certificate.ts";

/** A certificate with the authority that signed it, and whose key nobody has kept. */
export interface ServingCertificate extends KeyPair {
  readonly authority: string;
}

export interface ServingRequest {
  readonly names: readonly string[];
  readonly nowMs: number;
  readonly random: Random;
}

/** Makes an authority for one certificate: nothing else can ever be signed by it. */
export async function createServingCertificate({ names, nowMs, random }: ServingRequest): Promise<ServingCertificate> {
  const authority = await createAuthority({
    name: `CN=flotilla-webhook-ca-${random.uuid()}`, // the name tells authorities apart, whatever order a bundle has
    notBeforeMs: nowMs - clockSkewMs,
    notAfterMs: nowMs + certificateLifeMs,
  });
  const subject = "CN=flotilla-webhook";
  const pair = await authority.issue({ serial: random.uuid().replaceAll("-", ""), subject, usage: "server", names });
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
