import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ServingCertificate, ServingRequest } from "./serving-certificate.ts";

const limitMs = 60_000;

/**
 * Has a certificate made by a process of its own: the library for it takes more room than all else that a webhook holds, is needed a few
 * times a year, and a thread would leave half of it behind.
 */
export function madeCertificate(request: ServingRequest): Promise<ServingCertificate> {
  return new Promise((resolve, reject) => {
    const options = { env: {}, timeout: limitMs };
    const maker = execFile(process.execPath, [fileURLToPath(bundledMaker())], options, (error, printed) => {
      if (error === null)
        resolve(JSON.parse(printed) as ServingCertificate); // all that it prints
      else reject(new Error("cannot make a certificate", { cause: error }));
    });
    maker.stdin?.on("error", () => {}); // it has ended, which is told above
    maker.stdin?.end(JSON.stringify(request));
  });
}

/** Bundles lie directly in dist/; run from its source, the program is used that was built last. */
function bundledMaker(): URL {
  const here = import.meta.url;
  const path = here.endsWith(".ts") ? "../../../dist/workers/certificate-maker.js" : "./workers/certificate-maker.js";
  return new URL(path, here);
}
