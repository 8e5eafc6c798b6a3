import type { Draft } from "#api/meta/object-meta.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { admit, type ReviewPlugin } from "#apiserver/admission.ts";
import { cloneJson, type JsonObject } from "#base/json.ts";
import type { Logger } from "#base/logger.ts";
import { readReview, reviewAnswer } from "./admission-review.ts";

export interface JudgeNeeds {
  readonly plugins: readonly ReviewPlugin[];
  readonly log: Logger;
}

/** Kubernetes shortens longer ones, and all of them together. */
const maxWarnings = 20;

/**
 * Answers a review with the plug-ins that an embedded control plane has in process. A failure of our own is a refusal, with the code
 * of a failure: nothing passes unjudged.
 */
export async function judgeReview(
  phase: "mutate" | "validate",
  body: unknown,
  { plugins, log }: JudgeNeeds,
): Promise<JsonObject> {
  const { uid, object, request } = readReview(body);
  const warnings: string[] = [];
  const draft = object === undefined ? undefined : (cloneJson(object) as unknown as Draft); // an object on its way into a store
  try {
    const warn = (text: string) => warnings.length < maxWarnings && warnings.push(text);
    await admit(plugins, phase, { ...request, object: draft, warn });
  } catch (error: unknown) {
    if (error instanceof StatusError) return reviewAnswer({ uid, warnings, refusal: error });
    log.error("cannot judge a write", {
      kind: request.type.kind,
      namespace: request.namespace,
      name: request.name,
      error,
    });
    return reviewAnswer({ uid, warnings, refusal: StatusError.internal("see the log of the webhook") });
  }
  const changed = phase === "mutate" && object !== undefined && draft !== undefined;
  return reviewAnswer({ uid, warnings, ...(changed && { patch: { before: object, after: draft } }) });
}
