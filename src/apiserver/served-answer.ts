import type { ApiAnswer } from "#api/meta/api-call.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";

type Document = Extract<ApiAnswer, { readonly kind: "document" }>;

/** What the server answers, with the type that tells how to print it. Whoever calls sees an ApiAnswer and needs no type. */
export type ServedAnswer = Document | (Exclude<ApiAnswer, Document> & { readonly type: ResourceType });
