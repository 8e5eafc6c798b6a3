import { afterAll, beforeAll, expect, test } from "vitest";
import { createPki } from "#app/certificates.ts";
import { type OurServer, send, startOurServer } from "#test/compare/two-servers.ts";

let world: OurServer;
let pki: Awaited<ReturnType<typeof createPki>>;
beforeAll(async () => {
  world = await startOurServer();
  pki = await createPki({ cluster: "c", nowMs: Date.now() });
});
afterAll(() => world[Symbol.asyncDispose]());

async function warningOf(certificate: string, key: string): Promise<unknown> {
  const object = {
    metadata: { name: "pair" },
    type: "kubernetes.io/tls",
    stringData: { "tls.crt": certificate, "tls.key": key },
  };
  const path = "/api/v1/namespaces/default/secrets?dryRun=All";
  const { code, headers } = await send(world.server, { method: "POST", path, body: JSON.stringify(object) });
  expect(code).toBe(201);
  return headers["warning"];
}

test("a certificate and its key are no reason for a warning", async () => {
  expect(await warningOf(pki.server.certificate, pki.server.privateKey)).toBeUndefined();
});

test("a key of somebody else is", async () => {
  const warning = '299 - "tls: private key does not match public key"';
  expect(await warningOf(pki.server.certificate, pki.admin.privateKey)).toBe(warning);
});

test("certificate and key in each other's place are", async () => {
  const warning =
    '299 - "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched"';
  expect(await warningOf(pki.server.privateKey, pki.server.certificate)).toBe(warning);
});

test("a text without any PEM is", async () => {
  expect(await warningOf("x", "y")).toBe('299 - "tls: failed to find any PEM data in certificate input"');
});
