import type { ApiCall } from "#api/meta/api-call.ts";

const verbs: Readonly<Partial<Record<ApiCall["verb"], string>>> = { create: "POST", update: "PUT" };

/** The word of `apiserver_request_total` for what a client asks. */
export function verbOf({ verb, patchType }: Pick<ApiCall, "verb" | "patchType">): string {
  return patchType === "apply" ? "APPLY" : (verbs[verb] ?? verb.toUpperCase());
}
