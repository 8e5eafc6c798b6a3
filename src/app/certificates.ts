import { webcrypto } from "node:crypto";

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}

/** What one API server needs to be reached and believed: made once, kept in its data directory. */
export interface ClusterPki {
  readonly ca: KeyPair;
  readonly server: KeyPair;
  /** system:masters, for the kubeconfig. */
  readonly admin: KeyPair;
  /** RS256 key for service-account tokens. */
  readonly serviceAccountKey: string;
}

export interface PkiRequest {
  /** Stands in the CA's name, so that people see which cluster a certificate belongs to. */
  readonly cluster: string;
  readonly nowMs: number;
}

const yearMs = 365 * 24 * 3_600_000;
const curve = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** Makes a CA and what it signs. The library is loaded only here: later starts read files. */
export async function createPki({ cluster, nowMs }: PkiRequest): Promise<ClusterPki> {
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  x509.cryptoProvider.set(webcrypto);
  const caKeys = await newKeys();
  const validity = { notBefore: new Date(nowMs - 3_600_000), notAfter: new Date(nowMs + 10 * yearMs) };
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: `CN=flotilla-ca-${cluster}`,
    ...validity,
    signingAlgorithm: curve,
    keys: caKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature,
        true,
      ),
    ],
  });
  const issue = async (leaf: { serial: string; name: string; usage: string; names: boolean }): Promise<KeyPair> => {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: leaf.serial,
      subject: leaf.name,
      issuer: ca.subject,
      ...validity,
      signingAlgorithm: curve,
      publicKey: keys.publicKey,
      signingKey: caKeys.privateKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([leaf.usage]),
        ...(leaf.names ? [new x509.SubjectAlternativeNameExtension(serverNames)] : []),
      ],
    });
    return { certificate: certificate.toString("pem"), privateKey: await exportKey(keys.privateKey) };
  };
  return {
    ca: { certificate: ca.toString("pem"), privateKey: await exportKey(caKeys.privateKey) },
    server: await issue({
      serial: "02",
      name: "CN=kube-apiserver",
      usage: x509.ExtendedKeyUsage.serverAuth,
      names: true,
    }),
    admin: await issue({
      serial: "03",
      name: "CN=flotilla-admin, O=system:masters",
      usage: x509.ExtendedKeyUsage.clientAuth,
      names: false,
    }),
    serviceAccountKey: await newSigningKey(),
  };
}

const serverNames = [
  { type: "dns", value: "localhost" },
  { type: "dns", value: "kubernetes" },
  { type: "dns", value: "kubernetes.default" },
  { type: "dns", value: "kubernetes.default.svc" },
  { type: "ip", value: "127.0.0.1" },
  { type: "ip", value: "::1" },
] as const satisfies { type: "dns" | "ip"; value: string }[];

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(curve, true, ["sign", "verify"]) as Promise<webcrypto.CryptoKeyPair>; // an asymmetric algorithm gives a pair
}

async function newSigningKey(): Promise<string> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  };
  const { privateKey } = (await webcrypto.subtle.generateKey(algorithm, true, [
    "sign",
    "verify",
  ])) as webcrypto.CryptoKeyPair; // as above
  return exportKey(privateKey);
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", key));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
}
