import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { http } from "#test/world/http.ts";
import { Http2Connection } from "#test/world/http2.ts";
import { Attacker } from "./attacker.ts";
import { allowedMs, measured, p99 } from "./machine-speed.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const cms = "/api/v1/namespaces/default/configmaps";

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess();
});
afterAll(async () => {
  expect(server.isAlive(), "the process lives").toBe(true);
  await server[Symbol.asyncDispose]();
});

describe("SEC-44: slow clients", measured, () => {
  test("3,000 that never finish their headers and 1,000 that never read do not slow the others", async () => {
    using healthy = new Http2Connection(server);
    using attacker = new Attacker(server);
    await healthy.send(cms);
    const memory = server.memory() ?? 0;
    const { open } = await attacker.start({ attack: "slow", slowHeaders: 3_000, slowReaders: 1_000 });
    const times = await probe(healthy, 300);
    expect(open, "they hold what they opened, but for those that were cut off meanwhile").toBeGreaterThan(2_000);
    expect(p99(times)).toBeLessThan(allowedMs(p99(times), 200));
    expect((server.memory() ?? 0) - memory, "what nobody reads takes no memory without bound").toBeLessThan(1_000);
  }, 180_000);

  test("a client that does not finish its headers is disconnected", async () => {
    const socket = connect({
      port: Number(new URL(server.url).port),
      host: "127.0.0.1",
      ca: server.pki.ca.certificate,
      ALPNProtocols: ["http/1.1"],
    });
    await new Promise((resolve) => socket.once("secureConnect", resolve));
    socket.on("error", () => {}); // being cut off is what it gets
    const started = performance.now();
    socket.write("GET /api HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    socket.resume();
    await new Promise((resolve) => socket.once("close", resolve));
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test("new clients are served when they are gone", async () => {
    expect((await http(server, "/readyz", { token: "none" })).text).toBe("ok");
  });
});

/** How long each of a number of requests took, one after the other: some for strangers, some that read. */
async function probe(connection: Http2Connection, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    expect((await connection.send(i % 2 === 0 ? "/readyz" : `${cms}?limit=1`)).code).toBe(200);
    times.push(performance.now() - started);
  }
  return times;
}
