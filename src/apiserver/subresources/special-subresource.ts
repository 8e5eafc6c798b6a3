import type { ApiCall } from "#api/meta/api-call.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import type { Core } from "#apiserver/core.ts";
import type { ListedSubresource } from "#apiserver/discovery.ts";
import type { ServedAnswer } from "#apiserver/served-answer.ts";

/** A subresource with a behaviour of its own. */
export interface SpecialSubresource {
  /** `<group>/<plural>/<name>` */
  readonly of: string;
  readonly listed: ListedSubresource;
  readonly serve: (core: Core, type: ResourceType, call: ApiCall) => Promise<ServedAnswer>;
}
