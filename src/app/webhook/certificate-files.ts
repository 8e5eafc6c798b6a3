import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Clock } from "#base/clock.ts";
import { HintedError } from "#base/hinted-error.ts";
import type { Logger } from "#base/logger.ts";
import { readBoundedFile } from "../bounded-text.ts";
import type { KeyPair } from "../certificate-authority.ts";

export interface CertificateFilesNeeds {
  readonly certificateFile: string;
  readonly privateKeyFile: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly serve: (pair: KeyPair) => void;
}

const maxBytes = 1024 * 1024;
/** Whoever rotates files may replace a link to their folder, which no watch of the system reports reliably. */
const lookMs = 10_000;

/** The pair in two files now; throws when they do not belong together. */
export function readCertificateFiles({
  certificateFile,
  privateKeyFile,
}: Pick<CertificateFilesNeeds, "certificateFile" | "privateKeyFile">): KeyPair {
  const certificate = readBoundedFile(certificateFile, maxBytes);
  const privateKey = readBoundedFile(privateKeyFile, maxBytes);
  const missing = certificate === undefined ? certificateFile : privateKey === undefined ? privateKeyFile : undefined;
  if (certificate === undefined || privateKey === undefined)
    throw new HintedError(`cannot find ${missing}`, "give the certificate and its key as PEM files");
  if (!belong(certificate, privateKey))
    throw new HintedError(
      `cannot use ${certificateFile} with ${privateKeyFile}: they are no certificate and its key`,
      "both are PEM, and of one pair",
    );
  return { certificate, privateKey };
}

/** Serves what the files hold from now on; a pair that cannot be used is passed over until it can. */
export function followCertificateFiles(needs: CertificateFilesNeeds, signal: AbortSignal): void {
  const { clock, log, serve } = needs;
  let served = readCertificateFiles(needs);
  let cancel = () => {};
  const look = () => {
    try {
      const found = readCertificateFiles(needs);
      if (found.certificate !== served.certificate || found.privateKey !== served.privateKey) {
        serve(found);
        served = found;
        log.info("serving the certificate that the files have now");
      }
    } catch (error: unknown) {
      log.error("cannot use the certificate files; going on with what was there before", { error });
    }
    cancel = clock.after(lookMs, look);
  };
  cancel = clock.after(lookMs, look);
  signal.addEventListener("abort", () => cancel(), { once: true });
}

function belong(certificate: string, privateKey: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey));
  } catch {
    return false;
  }
}
