import { expect, test } from "vitest";
import { bareSwagger } from "./bare-swagger.ts";

const asked = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
const protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

test.each([asked, protobuf])("%s: the bytes of a document without paths, with a legal type", (accepted) => {
  const { body, contentType } = bareSwagger("v1.36.0", [accepted]);
  expect(contentType).toBe(protobuf);
  expect(Buffer.from(body as string).toString("hex")).toBe(
    ["0a03", hex("2.0"), "1215", "0a0a", hex("Kubernetes"), "1207", hex("v1.36.0"), "4200"].join(""),
  );
});

test("everybody else gets JSON", () => {
  for (const accepted of [[], ["application/json"], ["*/*"], ["application/json", protobuf]])
    expect(bareSwagger("v1.36.0", accepted)).toEqual({
      body: { swagger: "2.0", info: { title: "Kubernetes", version: "v1.36.0" }, paths: {}, definitions: {} },
      contentType: "application/json",
    });
});

function hex(text: string): string {
  return Buffer.from(text).toString("hex");
}
