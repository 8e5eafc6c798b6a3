import { webcrypto } from "node:crypto";
import { createAuthority, exportKey, type KeyPair } from "./certificate-authority.ts";

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

/** Where a cluster gets its keys from. */
export type MakePki = (request: PkiRequest) => Promise<ClusterPki>;

const yearMs = 365 * 24 * 3_600_000;

/** Makes a CA and what it signs. */
export async function createPki({ cluster, nowMs }: PkiRequest): Promise<ClusterPki> {
  const authority = await createAuthority({
    name: `CN=flotilla-ca-${cluster}`,
    notBeforeMs: nowMs - 3_600_000,
    notAfterMs: nowMs + 10 * yearMs,
  });
  return {
    ca: authority.keyPair,
    server: await authority.issue({ serial: "02", subject: "CN=kube-apiserver", usage: "server", names: serverNames }),
    admin: await authority.issue({
      serial: "03",
      subject: "CN=flotilla-admin, O=system:masters",
      usage: "client",
    }),
    serviceAccountKey: await newSigningKey(),
  };
}

const serverNames = [
  "localhost",
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "127.0.0.1",
  "::1",
] as const;

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
  ])) as webcrypto.CryptoKeyPair; // an asymmetric algorithm gives a pair
  return exportKey(privateKey);
}
