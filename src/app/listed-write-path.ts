import type { FeatureGates } from "#api/feature-gates.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { FieldSetPool } from "#apiserver/apply/field-set-pool.ts";
import { Registry, storageKey } from "#apiserver/registry.ts";
import { SettledParts } from "#apiserver/write/settled-parts.ts";
import type { Clock } from "#base/clock.ts";
import type { Random } from "#base/random.ts";
import type { LuaHost } from "#lua/lua-host.ts";
import type { Informer } from "#runtime/informer.ts";
import { openMemoryStore } from "#storage/memory-store.ts";
import { loadBuiltinKinds } from "./builtin-kinds.ts";
import { controlPlaneAdmission } from "./control-plane-admission.ts";
import { openWritePath, type WritePath } from "./write-path.ts";

interface PathNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly lua: LuaHost;
  readonly gates: FeatureGates;
}

/** What an API server does to manifests, over the objects that were listed there; webhooks of others are not asked. */
export async function listedWritePath(
  caches: readonly Informer<ApiObject>[],
  { clock, random, lua, gates }: PathNeeds,
): Promise<WritePath> {
  const builtin = loadBuiltinKinds();
  const store = openMemoryStore<ApiObject>();
  const path = openWritePath({
    store,
    registry: new Registry(builtin.resources),
    builtin,
    clock,
    random,
    fieldSets: new FieldSetPool(),
    settled: new SettledParts(),
    asksWebhooks: false,
    admission: controlPlaneAdmission({ clock, random, lua, gates }),
  });
  // definitions first: they say what the others are
  for (const cache of caches.toSorted((a, b) => Number(isDefinitions(b)) - Number(isDefinitions(a)))) {
    const { group, version, resource } = cache.resource;
    const type = path.core.registry.get(group, version, resource);
    if (type === undefined) continue; // a manifest of it is refused by name
    const keyOf = ({ metadata }: ApiObject) => storageKey(type, metadata.namespace, metadata.name);
    await Promise.all([...cache.all()].map((object) => store.create(keyOf(object), () => object)));
  }
  return path;
}

function isDefinitions({ resource }: Informer<ApiObject>): boolean {
  return resource.kind === "CustomResourceDefinition";
}
