import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import { createGunzip } from "node:zlib";
import { StatusError } from "#api/meta/status-error.ts";

export const maxBodyBytes = 3 * 1024 * 1024;

/** The whole body, unpacked, and never more of it than the limit: what is over is refused without being kept. */
export async function readBody(
  request: IncomingMessage | Http2ServerRequest,
  limitBytes: number = maxBodyBytes,
): Promise<Buffer> {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity" && encoding !== "gzip") {
    throw new StatusError(
      415,
      "UnsupportedMediaType",
      `content encoding ${JSON.stringify(encoding)} is not supported: use gzip or none`,
    );
  }
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > limitBytes) throw tooLarge(limitBytes);
  const source = encoding === "gzip" ? request.pipe(createGunzip()) : request;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // what is refused is not destroyed: its client has to be told
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limitBytes) throw tooLarge(limitBytes);
      chunks.push(chunk);
    }
  } catch (error: unknown) {
    if (error instanceof StatusError) throw error;
    throw StatusError.badRequest(`cannot read the body: ${error instanceof Error ? error.message : String(error)}`);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function tooLarge(limitBytes: number): StatusError {
  return StatusError.tooLarge(`Request entity too large: limit is ${limitBytes}`);
}
