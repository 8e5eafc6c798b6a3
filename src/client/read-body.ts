import type { IncomingMessage } from "node:http";
import { createGunzip } from "node:zlib";
import type { Clock } from "#base/clock.ts";

export interface BodyLimits {
  /** After decompression. */
  readonly maxBytes: number;
  /** In every stretch of `windowMs` at least this much must arrive. */
  readonly minBytesPerWindow: number;
  readonly windowMs: number;
  /** The whole body must be there by then. */
  readonly totalMs: number;
}

/** There is an answer, but more of it than is taken. */
export class AnswerTooLargeError extends Error {}

/** The text of a body; throws, and reads no further, when it is too large, too slow or not as announced. */
export function readBody(response: IncomingMessage, limits: BodyLimits, clock: Clock): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let over = false;
    const finish = (error?: Error) => {
      if (over) return;
      over = true;
      stopTimers();
      if (error === undefined) return resolve(Buffer.concat(chunks, bytes).toString("utf8"));
      chunks.length = 0;
      response.destroy();
      reject(error);
    };
    const stopTimers = watchProgress(() => bytes, {
      limits,
      clock,
      tooSlow: () => finish(new Error("the answer comes too slowly")),
    });
    const body = decoded(response, finish);
    body?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limits.maxBytes)
        finish(new AnswerTooLargeError(`the answer is larger than ${limits.maxBytes} bytes`));
      else if (!over) chunks.push(chunk);
    });
    body?.once("end", () => finish());
    response.once("error", finish);
    response.once("close", () => {
      if (!response.complete) finish(new Error("the connection broke before the answer was complete"));
    });
  });
}

function decoded(response: IncomingMessage, fail: (error: Error) => void): NodeJS.ReadableStream | undefined {
  const encoding = response.headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return response;
  if (encoding !== "gzip") {
    fail(new Error("the answer has an encoding that was not asked for"));
    return undefined;
  }
  const gunzip = createGunzip();
  gunzip.once("error", () => fail(new Error("the answer is damaged")));
  response.once("close", () => gunzip.destroyed || response.complete || gunzip.destroy());
  return response.pipe(gunzip);
}

interface Progress {
  readonly limits: BodyLimits;
  readonly clock: Clock;
  readonly tooSlow: () => void;
}

function watchProgress(bytes: () => number, { limits, clock, tooSlow }: Progress): () => void {
  const stopTotal = clock.after(limits.totalMs, tooSlow);
  let seen = 0;
  let stopWindow: () => void;
  const next = () => {
    stopWindow = clock.after(limits.windowMs, () => {
      if (bytes() - seen < limits.minBytesPerWindow) return tooSlow();
      seen = bytes();
      next();
    });
  };
  next();
  return () => {
    stopTotal();
    stopWindow();
  };
}
