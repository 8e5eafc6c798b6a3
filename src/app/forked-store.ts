import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Store } from "#storage/store.ts";
import type { ForkedState } from "./planner.ts";

/** A store as it would be after what a plan has written; it is read, and takes no writes. */
export function forkedStore(store: Store<ApiObject>, state: ForkedState): Store<ApiObject> {
  const refuse = () => Promise.reject(new Error("cannot write to a plan's store"));
  return {
    get(key) {
      const [group, resource, ...path] = key.split("/") as [string, string, ...string[]];
      const name = path.at(-1)!;
      const written = state.written({ group, resource }, path.length === 2 ? { namespace: path[0]!, name } : { name });
      if (written === undefined) return store.get(key);
      const { object } = written;
      return object && { key, value: object, revision: store.revision, createRevision: store.revision };
    },
    list: (request) => store.list(request),
    create: refuse,
    update: refuse,
    delete: refuse,
    watch: (request) => store.watch(request),
    compact: refuse,
    get revision() {
      return store.revision;
    },
    count: (prefix) => store.count(prefix),
    probe: () => store.probe(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** The same store, with every object in another light. */
export function readAs(store: Store<ApiObject>, light: (object: ApiObject) => ApiObject): Store<ApiObject> {
  const get: Store<ApiObject>["get"] = (key) => {
    const entry = store.get(key);
    return entry && { ...entry, value: light(entry.value) };
  };
  return { ...store, get, revision: store.revision };
}
