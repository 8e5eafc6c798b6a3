import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HttpServer } from "#apiserver/http/http-server.ts";
import { silentLogger } from "#base/logger.ts";
import { VirtualClock } from "#test/world/virtual-clock.ts";
import { systemClock, systemRandom } from "../system.ts";
import { followCertificateFiles, readCertificateFiles } from "./certificate-files.ts";
import { createReviewServer } from "./review-server.ts";
import { createServingCertificate, type ServingCertificate, servingRequest } from "./serving-certificate.ts";

const make = () => createServingCertificate(servingRequest({ names: ["127.0.0.1"], nowMs: Date.now() }, systemRandom));

let certificate: ServingCertificate;
let server: HttpServer;
let port: number;
let illness: string | undefined;

beforeEach(async () => {
  certificate = await make();
  illness = undefined;
  server = createReviewServer({
    host: "127.0.0.1",
    port: 0,
    certificate,
    clock: systemClock,
    log: silentLogger,
    plugins: [],
    checks: [{ name: "certificate", of: "ready", failure: () => illness }],
  });
  port = await server.listen();
});
afterEach(() => server.close());

interface Call {
  readonly method?: string;
  readonly type?: string;
  readonly body?: string;
  readonly ca?: string;
}

function call(
  path: string,
  { method = "POST", type = "application/json", body = "", ca = certificate.authority }: Call = {},
) {
  return new Promise<{ readonly code: number | undefined; readonly text: string; readonly serial: string }>(
    (resolve, reject) => {
      const headers = method === "POST" ? { "content-type": type } : {};
      const sent = request({ host: "127.0.0.1", port, path, method, headers, ca, agent: false }, (response) => {
        const { serialNumber } = (response.socket as TLSSocket).getPeerCertificate();
        let text = "";
        response.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on("end", () => resolve({ code: response.statusCode, text, serial: serialNumber }));
      });
      sent.on("error", reject);
      sent.end(body);
    },
  );
}

const review = JSON.stringify({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: { uid: "u", operation: "CREATE", object: { metadata: {} } },
});

describe("the webhook's server", () => {
  test("answers reviews at its two paths", async () => {
    for (const path of ["/mutate", "/validate", "/validate?timeout=10s"])
      expect(await call(path, { body: review })).toMatchObject({
        code: 200,
        text: expect.stringContaining('"allowed":true'),
      });
  });

  test("tells how it is", async () => {
    expect(await call("/readyz", { method: "GET" })).toMatchObject({ code: 200, text: "ok" });
    illness = "no certificate";
    expect(await call("/readyz", { method: "GET" })).toMatchObject({ code: 500 });
    expect(await call("/livez", { method: "GET" })).toMatchObject({ code: 200 });
  });

  for (const [situation, path, how, code] of [
    ["another path", "/", { body: review }, 404],
    ["another method", "/mutate", { method: "GET" }, 405],
    ["another type of content", "/mutate", { body: review, type: "text/plain" }, 415],
    ["no JSON", "/mutate", { body: "{" }, 400],
    ["no review", "/mutate", { body: "{}" }, 400],
    ["more than two objects can be", "/validate", { body: " ".repeat(8 * 1024 * 1024 + 1) }, 413],
    ["JSON that is too deep", "/validate", { body: "[".repeat(100_000) }, 400],
  ] as const)
    test(`refuses ${situation}`, async () => expect(await call(path, how)).toMatchObject({ code }));

  test("shows another certificate when it is renewed", async () => {
    const { serial } = await call("/livez", { method: "GET" });
    const next = await make();
    server.renewCertificate(next);
    const renewed = await call("/livez", { method: "GET", ca: next.authority });
    expect(renewed.serial).not.toBe(serial);
    await expect(call("/livez", { method: "GET" })).rejects.toThrow();
  });
});

test("certificate files are read again when they change, and passed over while they do not belong together", async () => {
  const folder = mkdtempSync(join(tmpdir(), "flotilla-certificate-"));
  const files = { certificateFile: join(folder, "tls.crt"), privateKeyFile: join(folder, "tls.key") };
  const clock = new VirtualClock();
  const stopping = new AbortController();
  const served: string[] = [];
  const serve = (pair: { readonly certificate: string }) => served.push(pair.certificate);
  try {
    expect(() => readCertificateFiles(files)).toThrow("cannot find");
    writeFileSync(files.certificateFile, certificate.certificate);
    writeFileSync(files.privateKeyFile, certificate.privateKey);
    followCertificateFiles({ ...files, clock, log: silentLogger, serve }, stopping.signal);
    const next = await make();
    writeFileSync(files.certificateFile, next.certificate);
    await clock.advance(10_000);
    expect(served).toEqual([]);
    expect(() => readCertificateFiles(files)).toThrow("they are no certificate and its key");
    writeFileSync(files.privateKeyFile, next.privateKey);
    await clock.advance(10_000);
    await clock.advance(10_000);
    expect(served).toEqual([next.certificate]);
    stopping.abort();
    expect(clock.pending).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
