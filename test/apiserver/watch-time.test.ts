import { request } from "node:https";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HttpServer } from "#apiserver/http/http-server.ts";
import { defaultServerLimits } from "#apiserver/http/server-limits.ts";
import { type ClusterPki, createPki } from "#app/certificates.ts";
import { silentLogger } from "#base/logger.ts";
import { Http2Connection } from "#test/world/http2.ts";

/** What a body may take; what needs none goes on for longer. */
const bodyMs = 150;
const longerMs = 4 * bodyMs;

let pki: ClusterPki;
let server: HttpServer;
let url: string;

beforeAll(async () => {
  pki = await createPki({ cluster: "watched", nowMs: Date.now() });
  server = new HttpServer({
    host: "127.0.0.1",
    port: 0,
    certificate: pki.server.certificate,
    privateKey: pki.server.privateKey,
    log: silentLogger,
    limits: { ...defaultServerLimits, bodyMs },
    // an answer that begins and has no end, as that of a watch
    serve: ({ response }) => {
      (response.write as (text: string) => boolean).call(response, "begun\n"); // the same in both protocols
      return new Promise((resolve) => response.once("close", () => resolve()));
    },
  });
  url = `https://127.0.0.1:${await server.listen()}`;
});
afterAll(() => server.close());

test("HTTP/1.1: an answer without end goes on for longer than a body may take", async () => {
  expect(await lasts()).toBe("goes on");
});

test("HTTP/1.1: so it does where a body came that nobody asked for", async () => {
  expect(await lasts({ announced: 2, sent: "{}" })).toBe("goes on");
});

test("HTTP/1.1: whoever announces a body and does not send it is cut off", async () => {
  expect(await lasts({ announced: 10, sent: "{" })).toBe("cut off");
});

test("HTTP/2: an answer without end goes on for longer than a body may take", async () => {
  using connection = new Http2Connection({ url, pki });
  const stream = connection.open("/watch");
  stream.resume();
  const ended = new Promise((resolve) => stream.once("close", () => resolve("cut off")));
  expect(await Promise.race([ended, after(longerMs)])).toBe("goes on");
});

interface Body {
  readonly announced: number;
  readonly sent: string;
}

/** What becomes of a request's answer. */
function lasts(body?: Body): Promise<unknown> {
  const headers = body === undefined ? {} : { "content-length": String(body.announced) };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/watch`, { ca: pki.ca.certificate, headers, agent: false });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      response.on("error", () => {}); // being cut off is what is asked about
      response.once("close", () => resolve("cut off"));
      response.resume();
      void after(longerMs).then((found) => {
        resolve(found);
        outgoing.destroy();
      });
    });
    if (body === undefined) outgoing.end();
    else outgoing.write(body.sent);
  });
}

function after(ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, ms, "goes on"));
}
