import type { UserInfo } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import type { Named } from "#api/meta/status-error.ts";
import type { FieldSetPool } from "#apiserver/apply/field-set-pool.ts";
import type { KnownUpdates } from "#apiserver/apply/known-updates.ts";
import type { Clock } from "#base/clock.ts";
import type { Random } from "#base/random.ts";
import type { TimeTexts } from "#base/time-texts.ts";
import type { PatternCache } from "#schema/pattern-cache.ts";
import type { Store } from "#storage/store.ts";
import type { AdmissionPlugin } from "./admission.ts";
import type { Registry } from "./registry.ts";
import type { ServedShapes } from "./stored-shape.ts";
import type { SettledParts } from "./write/settled-parts.ts";

/** What every verb works with; handed in once. */
export interface Core {
  readonly store: Store<ApiObject>;
  readonly registry: Registry;
  readonly clock: Clock;
  /** What the clock says, as a text. */
  readonly times: TimeTexts;
  readonly random: Random;
  readonly admission: readonly AdmissionPlugin[];
  /** Compiled schema patterns, kept as long as the server. */
  readonly patterns: PatternCache;
  readonly shapes: ServedShapes;
  /** Owned fields that many objects have in common. */
  readonly fieldSets: FieldSetPool;
  /** Specs that need not be looked at again. */
  readonly settled: SettledParts;
  /** Who owns what after updates that are like each other. */
  readonly updates: KnownUpdates;
}

/** A resolved target: the type and where the object is. */
export interface Target {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly user: UserInfo;
}

/** How errors about an object of this type name it. */
export function namedResource(type: Pick<ResourceType, "group" | "plural">, name?: string): Named {
  return { group: type.group, resource: type.plural, name };
}

/** The same by its kind, in the group that it is kept in. */
export function namedKind(type: Pick<ResourceType, "group" | "kind" | "storagePrefix">, name?: string): Named {
  const { group, kind, storagePrefix } = type;
  return { group: storagePrefix === undefined ? group : storagePrefix.split("/")[0]!, resource: kind, name };
}
