import { webcrypto } from "node:crypto";
import { isIP } from "node:net";

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface AuthorityRequest {
  /** As X.509 writes it: `CN=…`. */
  readonly name: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

export interface LeafRequest {
  /** Hexadecimal, different for all that an authority issues. */
  readonly serial: string;
  readonly subject: string;
  readonly usage: "server" | "client";
  /** DNS names and IP addresses that a server is reached by. */
  readonly names?: readonly string[];
}

/** Signs certificates that live as long as itself. */
export interface Authority {
  readonly keyPair: KeyPair;
  issue(leaf: LeafRequest): Promise<KeyPair>;
}

const curve = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** Makes a certificate authority. The library is loaded only here: whoever has certificates does not need it. */
export async function createAuthority(request: AuthorityRequest): Promise<Authority> {
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  x509.cryptoProvider.set(webcrypto);
  const validity = { notBefore: new Date(request.notBeforeMs), notAfter: new Date(request.notAfterMs) };
  const keys = await newKeys();
  const { keyCertSign, cRLSign, digitalSignature } = x509.KeyUsageFlags;
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: request.name,
    ...validity,
    signingAlgorithm: curve,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      new x509.KeyUsagesExtension(keyCertSign | cRLSign | digitalSignature, true),
    ],
  });
  const issue = async ({ serial, subject, usage, names = [] }: LeafRequest): Promise<KeyPair> => {
    const own = await newKeys();
    const { serverAuth, clientAuth } = x509.ExtendedKeyUsage;
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serial,
      subject,
      issuer: authority.subject,
      ...validity,
      signingAlgorithm: curve,
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage === "server" ? serverAuth : clientAuth]),
        ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names.map(alternativeName))] : []),
      ],
    });
    return { certificate: certificate.toString("pem"), privateKey: await exportKey(own.privateKey) };
  };
  return {
    keyPair: { certificate: authority.toString("pem"), privateKey: await exportKey(keys.privateKey) },
    issue,
  };
}

/** A private key as PEM. */
export async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", key));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
}

function alternativeName(value: string): { type: "dns" | "ip"; value: string } {
  return { type: isIP(value) === 0 ? "dns" : "ip", value };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(curve, true, ["sign", "verify"]) as Promise<webcrypto.CryptoKeyPair>; // an asymmetric algorithm gives a pair
}
