import { StatusError } from "#api/meta/status-error.ts";
import type { Exchange } from "#apiserver/http/exchange.ts";
import { type HealthCheck, healthRoute, sendHealth } from "#apiserver/http/health.ts";
import { HttpServer } from "#apiserver/http/http-server.ts";
import { readBody } from "#apiserver/http/read-body.ts";
import { defaultServerLimits } from "#apiserver/http/server-limits.ts";
import type { Clock } from "#base/clock.ts";
import { JsonSyntaxError, parseJson } from "#base/parse-json.ts";
import type { KeyPair } from "../certificate-authority.ts";
import { webhookPaths } from "../installation/webhook-configurations.ts";
import { type JudgeNeeds, judgeReview } from "./judge-review.ts";

export interface ReviewServerNeeds extends JudgeNeeds {
  readonly clock: Clock;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly certificate: KeyPair;
  readonly checks: readonly HealthCheck[];
}

/** An object and its predecessor, both as large as a server stores them, with what JSON adds. */
const maxReviewBytes = 8 * 1024 * 1024;

/** Answers the reviews of API servers over TLS, and asks about its health. */
export function createReviewServer(needs: ReviewServerNeeds): HttpServer {
  const { host, port, certificate, log } = needs;
  return new HttpServer({
    host,
    port,
    ...certificate,
    log,
    limits: defaultServerLimits,
    serve: (exchange) => serve(exchange, needs),
  });
}

async function serve(exchange: Exchange, needs: ReviewServerNeeds): Promise<void> {
  const { pathname } = exchange.url;
  const health = healthRoute(pathname);
  if (health !== undefined && health.check === undefined && exchange.method === "GET")
    return sendHealth(needs, exchange, health.endpoint);
  const phase = (["mutate", "validate"] as const).find((each) => webhookPaths[each] === pathname);
  if (phase === undefined) throw StatusError.unknownResource();
  if (exchange.method !== "POST") throw StatusError.methodNotAllowed();
  if (!/^application\/json\s*(;|$)/i.test(exchange.header("content-type") ?? ""))
    throw new StatusError(415, "UnsupportedMediaType", "reviews are application/json");
  const body = await readBody(exchange.request, maxReviewBytes);
  exchange.sendJson(200, await judgeReview(phase, jsonOf(body), needs));
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return parseJson(bytes.toString("utf8")).value;
  } catch (error: unknown) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw StatusError.badRequest(`cannot read the body: ${error.message}`);
  }
}
