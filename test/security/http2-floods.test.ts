import { connect as connectHttp2, constants } from "node:http2";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Http2Connection } from "#test/world/http2.ts";
import { memoryGrowth, type ServerProcess, startServerProcess } from "./server-process.ts";

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess();
});
afterAll(async () => {
  expect(server.isAlive(), "the process lives").toBe(true);
  await server[Symbol.asyncDispose]();
});

describe("SEC-46: floods of HTTP/2 frames", () => {
  test("who opens streams and resets them at once is disconnected; others are served", async () => {
    using healthy = new Http2Connection(server);
    const { ca, admin } = server.pki;
    const session = connectHttp2(server.url, { ca: ca.certificate, cert: admin.certificate, key: admin.privateKey });
    session.on("error", () => {}); // being cut off is what it gets
    await new Promise((resolve) => session.once("connect", resolve));
    const cutOff = new Promise((resolve) => session.once("close", resolve));
    for (let opened = 0; opened < 20_000 && !session.destroyed && !session.closed; opened += 100) {
      for (let i = 0; i < 100; i++) {
        const stream = session.request({ ":path": "/api/v1/configmaps" });
        stream.on("error", () => {});
        stream.close(constants.NGHTTP2_CANCEL);
      }
      await new Promise((resolve) => setImmediate(resolve)); // until they are on their way
    }
    await cutOff; // nobody else ends it
    expect((await healthy.send("/readyz")).code).toBe(200);
  }, 60_000);

  test("who never ends a block of headers is disconnected, and takes no memory without bound", async () => {
    using healthy = new Http2Connection(server);
    let sent = 0;
    const growth = await memoryGrowth(server, async () => {
      const socket = await openRaw(server);
      const cutOff = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      socket.write(Buffer.concat([preface, frame(settingsFrame, 0, 0, Buffer.alloc(0))]));
      socket.write(frame(headersFrame, 0, 1, literalHeader(16_000))); // neither END_STREAM nor END_HEADERS
      const more = frame(continuationFrame, 0, 1, literalHeader(16_000));
      const flood = () => {
        while (!socket.destroyed && sent < 100_000_000) {
          sent += more.length;
          if (!socket.write(more)) return void socket.once("drain", flood);
        }
      };
      flood();
      await cutOff;
    });
    expect(sent, "it is cut off before 100 MB").toBeLessThan(100_000_000);
    expect(growth).toBeLessThan(64);
    expect((await healthy.send("/readyz")).code).toBe(200);
  }, 60_000);
});

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");
const [headersFrame, settingsFrame, continuationFrame] = [1, 4, 9];

/** A frame as RFC 9113 has it: 24 bits of length, type, flags, stream. */
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Header fields as HPACK prints them without any table, together so long. */
function literalHeader(length: number): Buffer {
  const field = Buffer.from([0x00, 1, 0x78, 100, ...Buffer.alloc(100, 0x79)]); // x: yyy…
  return Buffer.concat(Array.from({ length: Math.floor(length / field.length) }, () => field));
}

async function openRaw({ url, pki }: ServerProcess): Promise<TLSSocket> {
  const socket = connectTls({
    port: Number(new URL(url).port),
    host: "127.0.0.1",
    ca: pki.ca.certificate,
    ALPNProtocols: ["h2"],
  });
  socket.on("error", () => {}); // being cut off is what it gets
  socket.resume();
  await new Promise((resolve) => socket.once("secureConnect", resolve));
  return socket;
}
