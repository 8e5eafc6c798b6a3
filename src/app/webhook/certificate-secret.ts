import { systemNamespace } from "#api/cluster/namespaces.ts";
import { kubernetesResources } from "#api/core/kubernetes-resources.ts";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import type { Client } from "#client/client.ts";
import { installedLabels, webhookCertificateSecret } from "../installation/names.ts";
import { factsOf, type ServingCertificate } from "./serving-certificate.ts";

/** What the replicas share. */
export interface KeptCertificates {
  readonly current?: ServingCertificate | undefined;
  readonly next?: ServingCertificate | undefined;
  /** The authority before: replicas that have not followed yet are still believed. */
  readonly previousAuthority?: string | undefined;
}

const { Secret } = kubernetesResources;
const key = { namespace: systemNamespace, name: webhookCertificateSecret };

export interface ReadCertificates extends KeptCertificates {
  /** As it was read; undefined when there is no secret yet. */
  readonly secret: ApiObject | undefined;
}

/** What the secret holds; what cannot be read counts as absent. */
export async function readCertificates(client: Client): Promise<ReadCertificates> {
  const secret = await client.get(Secret, key);
  const text = (name: string): string => {
    const value: unknown = (secret as Fields | undefined)?.["data"]?.[name];
    return typeof value === "string" ? Buffer.from(value, "base64").toString("utf8") : "";
  };
  const certificate = (prefix: string): ServingCertificate | undefined => {
    const found = {
      certificate: text(`${prefix}tls.crt`),
      privateKey: text(`${prefix}tls.key`),
      authority: text(`${prefix}ca.crt`),
    };
    const whole =
      factsOf(found.certificate) !== undefined && factsOf(found.authority) !== undefined && found.privateKey !== "";
    return whole ? found : undefined;
  };
  const previous = text("previous-ca.crt");
  return {
    secret,
    current: certificate(""),
    next: certificate("next-"),
    previousAuthority: factsOf(previous) === undefined ? undefined : previous,
  };
}

/** Writes the secret; fails with a conflict when another replica was faster. */
export async function writeCertificates(
  client: Client,
  secret: ApiObject | undefined,
  kept: KeptCertificates,
): Promise<void> {
  const { current, next, previousAuthority } = kept;
  const data = {
    ...(current && dataOf("", current)),
    ...(next && dataOf("next-", next)),
    ...(previousAuthority !== undefined && { "previous-ca.crt": base64(previousAuthority) }),
  };
  if (secret !== undefined) await client.update(Secret, { ...secret, data });
  else {
    const metadata = { ...key, labels: installedLabels };
    await client.create(Secret, { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data });
  }
}

/** All authorities that are to be believed, as a configuration has them. */
export function bundleOf({ current, next, previousAuthority }: KeptCertificates): string {
  const pems = [current?.authority, next?.authority, previousAuthority].filter((pem) => pem !== undefined);
  return base64(pems.map((pem) => `${pem.trim()}\n`).join(""));
}

function dataOf(prefix: string, { certificate, privateKey, authority }: ServingCertificate) {
  return {
    [`${prefix}tls.crt`]: base64(certificate),
    [`${prefix}tls.key`]: base64(privateKey),
    [`${prefix}ca.crt`]: base64(authority),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
