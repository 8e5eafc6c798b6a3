import { request as httpsRequest } from "node:https";
import { isJsonObject, type JsonObject, stringifyJson } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";
import type { Webhook } from "./webhook-configuration.ts";

const maxAnswerBytes = 3 * 1024 * 1024;
const defaultTimeoutSeconds = 10;

/** A webhook that could not be asked, or whose answer makes no sense; failurePolicy decides what follows. */
export class WebhookFailure extends Error {}

/** Sends a review to a webhook and reads its response. HTTPS only, no redirects, bounded in time and size. */
export async function callWebhook(webhook: Webhook, review: JsonObject): Promise<JsonObject> {
  const url = urlOf(webhook);
  const timeoutMs = Math.min(webhook.timeoutSeconds ?? defaultTimeoutSeconds, 30) * 1_000;
  const text = await post(url, { body: stringifyJson(review), timeoutMs, caBundle: webhook.clientConfig.caBundle });
  let answer: unknown;
  try {
    answer = parseJson(text).value;
  } catch {
    throw new WebhookFailure("the answer is not JSON");
  }
  const response = isJsonObject(answer) ? answer["response"] : undefined;
  if (!isJsonObject(response)) throw new WebhookFailure("the answer has no response");
  const asked = review["request"];
  if (isJsonObject(asked) && response["uid"] !== asked["uid"])
    throw new WebhookFailure("expected response.uid to be the request's uid");
  return response;
}

function urlOf({ clientConfig }: Webhook): URL {
  if (clientConfig.url === undefined) {
    const { namespace, name } = clientConfig.service ?? { namespace: "", name: "" };
    throw new WebhookFailure(
      `service ${namespace}/${name} cannot be reached from here: this server has no cluster network; use clientConfig.url`,
    );
  }
  const url = new URL(clientConfig.url);
  if (url.protocol !== "https:") throw new WebhookFailure(`the address ${clientConfig.url} is not https`);
  return url;
}

interface Post {
  readonly body: string;
  readonly timeoutMs: number;
  readonly caBundle: string | undefined;
}

function post(url: URL, { body, timeoutMs, caBundle }: Post): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (message: string) => reject(new WebhookFailure(message));
    const request = httpsRequest(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        "content-length": Buffer.byteLength(body),
      },
      signal: AbortSignal.timeout(timeoutMs),
      ...(caBundle === undefined || caBundle === "" ? {} : { ca: Buffer.from(caBundle, "base64") }),
    });
    request.on("error", (error) =>
      fail(
        error.name === "AbortError" || error.name === "TimeoutError"
          ? `no answer within ${timeoutMs / 1_000} s`
          : error.message,
      ),
    );
    request.on("response", (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        return fail(`the server answered with status ${response.statusCode}`);
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxAnswerBytes) response.destroy(new Error(`the answer is larger than ${maxAnswerBytes} bytes`));
        else chunks.push(chunk);
      });
      response.on("error", (error) => fail(error.message));
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    });
    request.end(body);
  });
}
