import { expect, test } from "vitest";
import { statusErrorOf } from "./status-of-answer.ts";

const status = (fields: object) => JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", ...fields });

const rows: Readonly<Record<string, { readonly answer: Parameters<typeof statusErrorOf>[0]; readonly error: object }>> =
  {
    "a Status is believed": {
      answer: {
        code: 404,
        retryAfter: undefined,
        text: status({ reason: "NotFound", message: 'pods "a" not found', details: { name: "a" } }),
      },
      error: { code: 404, reason: "NotFound", message: 'pods "a" not found', details: { name: "a" } },
    },
    "a gateway's page about a missing path says nothing about objects, and is not repeated": {
      answer: { code: 404, retryAfter: undefined, text: "<html>not found, dear canary</html>" },
      error: { code: 404, reason: "", message: "the server answered with code 404 and no reason" },
    },
    "a server that asks for time is heard in its header": {
      answer: { code: 429, retryAfter: "9", text: "" },
      error: { reason: "TooManyRequests", details: { retryAfterSeconds: 9 } },
    },
    "and in its Status": {
      answer: {
        code: 503,
        retryAfter: undefined,
        text: status({ reason: "ServiceUnavailable", details: { retryAfterSeconds: 3 } }),
      },
      error: { reason: "ServiceUnavailable", details: { retryAfterSeconds: 3 } },
    },
    "but not for ever": {
      answer: { code: 503, retryAfter: "999999999", text: "" },
      error: { details: { retryAfterSeconds: 300 } },
    },
    "words are cut, and control characters taken out": {
      answer: { code: 500, retryAfter: undefined, text: status({ message: `\u001b[2J\u202e${"x".repeat(5_000)}` }) },
      error: { message: ` [2J ${"x".repeat(1_019)}` },
    },
    "what is nested too deep is no Status": {
      answer: { code: 500, retryAfter: undefined, text: `{"kind":"Status","a":${"[".repeat(10_000)}` },
      error: { reason: "", message: "the server answered with code 500 and no reason" },
    },
  };
for (const [name, { answer, error }] of Object.entries(rows)) {
  test(name, () => expect(statusErrorOf(answer)).toMatchObject(error));
}
