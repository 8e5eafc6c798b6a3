/**
 * The OpenAPI v2 document, with nothing in it: what is served is told in v3.
 *
 * kubectl asks for it when v3 does not know a kind, and gives up with an error about downloads where it is missing; with it,
 * it goes on to say that there is no such kind. It reads protobuf only.
 */

import type { JsonObject } from "#base/json.ts";

/** Clients ask with an `@` that is illegal in a media type, and cannot read an answer that repeats it. */
const askedType = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
const protobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

export interface BareSwagger {
  readonly body: JsonObject | string;
  readonly contentType: string;
}

/** The document in the form that the client asks for: protobuf where it names it first, else JSON. */
export function bareSwagger(serverVersion: string, accepted: readonly string[]): BareSwagger {
  const info = { title: "Kubernetes", version: serverVersion };
  if (accepted[0] === askedType || accepted[0] === protobufType)
    return { body: encode(info), contentType: protobufType };
  return { body: { swagger: "2.0", info, paths: {}, definitions: {} }, contentType: "application/json" };
}

/** Fields 1 (swagger), 2 (info: title, version) and 8 (paths) of a Document; every byte is ASCII, as lengths are below 128. */
function encode({ title, version }: { readonly title: string; readonly version: string }): string {
  return field(1, "2.0") + field(2, field(1, title) + field(2, version)) + field(8, "");
}

function field(number: number, content: string): string {
  return String.fromCharCode((number << 3) | 2, content.length) + content;
}
