import { createServer as createProxy } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClusterPki, createPki } from "#app/certificates.ts";
import { systemClock } from "#app/system.ts";
import { addressRefusal, type Resolve } from "#client/address-guard.ts";
import { createHttpTransport, type HttpTransport } from "#client/http-transport.ts";
import { maxConnections } from "#client/https-agents.ts";
import type { WireNeeds } from "#client/https-wire.ts";

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port; // it listens on a port
}

/** An HTTPS server that counts who gets through to it. */
async function startServer(options: object) {
  const seen = { handshakes: 0, requests: 0 };
  const server = createServer(options, (_, response) => {
    seen.requests++;
    response.writeHead(200, { "content-type": "application/json" }).end('{"gitVersion":"v1.36.0"}');
  });
  server.on("secureConnection", () => seen.handshakes++);
  server.on("tlsClientError", () => {});
  closing.push(() => server.closeAllConnections());
  return { port: await listen(server), seen };
}

function open(server: string, more: Partial<WireNeeds> = {}): HttpTransport {
  const transport = createHttpTransport({
    server: new URL(server),
    identity: {},
    token: "canary-token",
    addresses: { allowLoopback: true },
    clock: systemClock,
    ...more,
  });
  closing.push(() => transport.close());
  return transport;
}

const toLoopback = ((_host: string, _options: object, callback: (error: null, all: object[]) => void) =>
  callback(null, [{ address: "127.0.0.1", family: 4 }])) as unknown as Resolve; // the one form of it that is used

let good: ClusterPki;
let other: ClusterPki;
let old: ClusterPki;
beforeAll(async () => {
  good = await createPki({ cluster: "good", nowMs: Date.now() });
  other = await createPki({ cluster: "other", nowMs: Date.now() });
  old = await createPki({ cluster: "old", nowMs: Date.UTC(2001, 0, 1) });
});

describe("SEC-11: no request goes to a server that does not prove who it is", () => {
  const certificates = {
    good: () => ({ cert: good.server.certificate, key: good.server.privateKey }),
    other: () => ({ cert: other.server.certificate, key: other.server.privateKey }),
    old: () => ({ cert: old.server.certificate, key: old.server.privateKey }),
    selfSigned: () => ({ cert: other.ca.certificate, key: other.ca.privateKey }),
  };

  test("the control: a server that does is asked, with the token", async () => {
    const { port, seen } = await startServer(certificates.good());
    const answer = await open(`https://127.0.0.1:${port}`, { identity: { ca: good.ca.certificate } }).document(
      "/version",
    );
    expect([answer?.value, seen.requests]).toEqual([{ gitVersion: "v1.36.0" }, 1]);
  });

  test("bursts of calls share their connections: a handshake costs both sides more than a call", async () => {
    const { port, seen } = await startServer(certificates.good());
    const transport = open(`https://127.0.0.1:${port}`, { identity: { ca: good.ca.certificate } });
    for (let burst = 0; burst < 4; burst++)
      await Promise.all(Array.from({ length: 40 }, () => transport.document("/version")));
    expect(seen.requests).toBe(160);
    expect(seen.handshakes).toBeLessThanOrEqual(maxConnections);
  });

  const rows: readonly [string, () => object, () => Partial<WireNeeds>, string][] = [
    ["another authority signed it", certificates.other, () => ({ identity: { ca: good.ca.certificate } }), "127.0.0.1"],
    ["it signed itself", certificates.selfSigned, () => ({ identity: { ca: good.ca.certificate } }), "127.0.0.1"],
    ["no authority is given, and the system knows none", certificates.good, () => ({ identity: {} }), "127.0.0.1"],
    ["it has expired", certificates.old, () => ({ identity: { ca: old.ca.certificate } }), "127.0.0.1"],
    [
      "it is for other names",
      certificates.good,
      () => ({ identity: { ca: good.ca.certificate }, resolve: toLoopback }),
      "member.example",
    ],
    [
      "it speaks TLS 1.1 at most",
      () => ({ ...certificates.good(), maxVersion: "TLSv1.1", minVersion: "TLSv1" }),
      () => ({ identity: { ca: good.ca.certificate } }),
      "127.0.0.1",
    ],
  ];
  for (const [why, server, needs, host] of rows) {
    for (const env of ["1", "0"]) {
      test(`${why} (NODE_TLS_REJECT_UNAUTHORIZED=${env})`, async () => {
        const { port, seen } = await startServer(server());
        const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
        process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = env;
        try {
          await expect(open(`https://${host}:${port}`, needs()).document("/version")).rejects.toThrow(
            /^cannot talk to https:/,
          );
        } finally {
          if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
          else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
        }
        expect(seen.requests).toBe(0);
      });
    }
  }

  test("only told so in so many words, anybody is believed", async () => {
    const { port, seen } = await startServer(certificates.other());
    await open(`https://127.0.0.1:${port}`, { identity: { skipVerification: true } }).document("/version");
    expect(seen.requests).toBe(1);
  });
});

describe("SEC-09: credentials do not go to this machine, the link, or a cloud's metadata", () => {
  const refused = [
    ...["127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "①②⑦.0.0.1", "127.255.255.254", "[::1]"],
    ...["[::ffff:7f00:1]", "[::ffff:127.0.0.1]", "[::7f00:1]", "[64:ff9b::7f00:1]", "0", "0.0.0.0", "[::]"],
    ...[
      "169.254.169.254",
      "[fe80::1]",
      "[fd00:ec2::254]",
      "[::ffff:a9fe:a9fe]",
      "224.0.0.1",
      "[ff02::1]",
      "255.255.255.255",
    ],
    ...["localhost", "localhost.", "LOCALHOST"],
  ];
  for (const host of refused) {
    test(`${host} is not connected to`, async () => {
      let connections = 0;
      const port = await listen(createTcpServer(() => connections++));
      const ask = async () =>
        open(`https://${host}:${port}`, { addresses: { allowLoopback: false } }).document("/version");
      await expect(ask()).rejects.toThrow(/cannot (connect|talk) to/);
      expect(connections).toBe(0);
    });
  }

  test("a name that means another machine at first and this one later is not connected to", async () => {
    let connections = 0;
    let lookups = 0;
    const port = await listen(createTcpServer(() => connections++));
    const resolve = ((_host: string, _options: object, callback: (error: null, all: object[]) => void) =>
      callback(null, [{ address: lookups++ === 0 ? "192.0.2.1" : "127.0.0.1", family: 4 }])) as unknown as Resolve; // as above
    const transport = open(`https://flip.example:${port}`, {
      addresses: { allowLoopback: false },
      resolve,
      limits: { answerMs: 50 },
    });
    for (let i = 0; i < 3; i++)
      await expect(transport.probe("/readyz", new AbortController().signal)).rejects.toThrow();
    expect([connections, lookups > 1]).toEqual([0, true]);
  });

  test("ordinary addresses are allowed, private ones too", () => {
    for (const address of ["10.0.0.1", "192.168.1.1", "8.8.8.8", "2001:db8::1", "fd12::1"])
      expect(addressRefusal(address, { allowLoopback: false })).toBeUndefined();
  });
});

describe("a proxy", () => {
  test("carries the TLS session and gets its headers, but never the token", async () => {
    const { port, seen } = await startServer({ cert: good.server.certificate, key: good.server.privateKey });
    const asked: string[] = [];
    const proxy = createProxy();
    proxy.on("connect", (request, socket) => {
      asked.push(`${request.url} ${request.headers["x-team"]} ${request.headers.authorization}`);
      const onward = connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        onward.pipe(socket).pipe(onward);
      });
      for (const each of [socket, onward]) each.on("error", () => {});
    });
    const url = new URL(`http://127.0.0.1:${await listen(proxy)}`);
    const transport = open(`https://127.0.0.1:${port}`, {
      identity: { ca: good.ca.certificate },
      proxy: { url, headers: { "x-team": "a" } },
    });
    expect((await transport.document("/version"))?.value).toEqual({ gitVersion: "v1.36.0" });
    expect([asked, seen.requests]).toEqual([[`127.0.0.1:${port} a undefined`], 1]);
    transport.close();
  });

  test("that refuses, or is not there, is an error", async () => {
    const proxy = createProxy();
    proxy.on("connect", (_, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
    const url = new URL(`http://127.0.0.1:${await listen(proxy)}`);
    const refused = open("https://192.0.2.1", { proxy: { url, headers: {} } }).document("/version");
    await expect(refused).rejects.toThrow("the proxy answered with code 403");
    const absent = new URL("http://127.0.0.1:1");
    await expect(
      open("https://192.0.2.1", { proxy: { url: absent, headers: {} } }).document("/version"),
    ).rejects.toThrow("ECONNREFUSED");
  });
});
