import type { ApiObject } from "#api/meta/object-meta.ts";
import type { AdmissionPlugin } from "#apiserver/admission.ts";
import type { FieldSetPool } from "#apiserver/apply/field-set-pool.ts";
import { KnownUpdates } from "#apiserver/apply/known-updates.ts";
import type { Core } from "#apiserver/core.ts";
import { definitionAdmission, serveDefinitions } from "#apiserver/crd/definitions.ts";
import { Authorizer } from "#apiserver/identity/authorize.ts";
import { namespaceLifecycle } from "#apiserver/plugins/namespace-lifecycle.ts";
import { rbacEscalation } from "#apiserver/plugins/rbac-escalation.ts";
import type { Registry } from "#apiserver/registry.ts";
import { ServedShapes } from "#apiserver/stored-shape.ts";
import { admissionWebhooks } from "#apiserver/webhooks/admission-webhooks.ts";
import type { SettledParts } from "#apiserver/write/settled-parts.ts";
import type { Clock } from "#base/clock.ts";
import type { Random } from "#base/random.ts";
import { TimeTexts } from "#base/time-texts.ts";
import { createPatternCache } from "#schema/pattern-cache.ts";
import type { Store } from "#storage/store.ts";
import type { BuiltinKinds } from "./builtin-kinds.ts";

export interface WritePathNeeds {
  readonly store: Store<ApiObject>;
  readonly registry: Registry;
  readonly builtin: Pick<BuiltinKinds, "objectMeta">;
  readonly clock: Clock;
  readonly random: Random;
  readonly fieldSets: FieldSetPool;
  /** Of all clusters between which objects are shared. */
  readonly settled: SettledParts;
  /** Whether webhooks are asked that the store has configurations of. */
  readonly asksWebhooks: boolean;
  /** What else looks at every write, after webhooks have changed it. */
  readonly admission?: ((parts: AdmissionParts) => readonly AdmissionPlugin[]) | undefined;
}

/** What a plug-in may ask about its cluster. */
export interface AdmissionParts {
  readonly store: Store<ApiObject>;
  readonly registry: Registry;
  readonly authorizer: Authorizer;
}

/** What decodes, completes, admits and validates every write of one cluster. */
export interface WritePath {
  readonly core: Core;
  readonly authorizer: Authorizer;
  /** The same over another store: for trials that must not leave a trace. */
  readonly coreOver: (store: Store<ApiObject>) => Core;
  readonly close: () => void;
}

/** Opens the write path over a store, with the kinds that definitions in it add to the registry. */
export function openWritePath(needs: WritePathNeeds): WritePath {
  const { store, registry, clock, random, fieldSets } = needs;
  const authorizer = new Authorizer(store);
  const definitions = { store, registry, clock, objectMeta: needs.builtin.objectMeta };
  const admissionOver = (over: Store<ApiObject>): readonly AdmissionPlugin[] => [
    namespaceLifecycle(over),
    definitionAdmission({ ...definitions, store: over }),
    ...(needs.asksWebhooks ? [admissionWebhooks({ store: over, random })] : []),
    ...(needs.admission?.({ store: over, registry, authorizer }) ?? []),
    rbacEscalation(authorizer),
  ];
  const core: Core = {
    store,
    registry,
    clock,
    times: new TimeTexts(clock),
    random,
    admission: admissionOver(store),
    patterns: createPatternCache(),
    shapes: new ServedShapes(),
    fieldSets,
    settled: needs.settled,
    updates: new KnownUpdates(fieldSets),
  };
  const stopDefinitions = serveDefinitions(definitions);
  return {
    core,
    authorizer,
    coreOver: (over) => ({ ...core, store: over, admission: admissionOver(over) }),
    close() {
      stopDefinitions();
      authorizer.close();
    },
  };
}
