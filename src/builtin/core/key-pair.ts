import { createPrivateKey, X509Certificate } from "node:crypto";
import { fromBase64 } from "./base64.ts";

/** Why certificate and key of a TLS secret are no pair, in the words of Go's tls package; nothing where they are one. */
export function keyPairProblems(data: Readonly<Record<string, string>>): readonly string[] {
  const certificates = blocksOf(fromBase64(data["tls.crt"] ?? ""));
  const keys = blocksOf(fromBase64(data["tls.key"] ?? ""));
  const problem = certificateProblem(certificates) ?? keyProblem(keys) ?? pairProblem(certificates, keys);
  return problem === undefined ? [] : [problem];
}

interface PemBlock {
  readonly type: string;
  readonly text: string;
}

const pemBlock = /-----BEGIN ([^-]*)-----\r?\n[^-]*-----END \1-----/g;

function blocksOf(text: string): readonly PemBlock[] {
  return [...text.matchAll(pemBlock)].map(([block, type = ""]) => ({ type, text: block }));
}

function isKey({ type }: PemBlock): boolean {
  return type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY");
}

function isCertificate({ type }: PemBlock): boolean {
  return type === "CERTIFICATE";
}

function certificateProblem(blocks: readonly PemBlock[]): string | undefined {
  if (blocks.some(isCertificate)) return undefined;
  if (blocks.length === 0) return "tls: failed to find any PEM data in certificate input";
  if (blocks.length === 1 && isKey(blocks[0]!))
    return "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched";
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${typesOf(blocks)}`;
}

function keyProblem(blocks: readonly PemBlock[]): string | undefined {
  if (blocks.some(isKey)) return undefined;
  if (blocks.length === 0) return "tls: failed to find any PEM data in key input";
  if (blocks.length === 1 && isCertificate(blocks[0]!))
    return "tls: found a certificate rather than a key in the PEM for the private key";
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${typesOf(blocks)}`;
}

function typesOf(blocks: readonly PemBlock[]): string {
  return `[${blocks.map(({ type }) => type).join(" ")}]`;
}

function pairProblem(certificates: readonly PemBlock[], keys: readonly PemBlock[]): string | undefined {
  try {
    const certificate = new X509Certificate(certificates.find(isCertificate)!.text);
    const isPair = certificate.checkPrivateKey(createPrivateKey(keys.find(isKey)!.text));
    return isPair ? undefined : "tls: private key does not match public key";
  } catch {
    return "tls: failed to parse private key"; // or the certificate: Go tells more sorts apart
  }
}
