import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { ForkedInformer } from "./forked-informer.ts";
import { type ChangeListener, type Informer, selectFrom } from "./informer.ts";
import { ObjectIndex } from "./object-index.ts";

const resource = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", namespaced: false };
const indexes = { value: (object: ApiObject) => [String(object["data"])] };

function objectOf(name: string, data: number): ApiObject {
  const metadata = { name, uid: name, resourceVersion: String(data), creationTimestamp: "" };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data };
}

/** A cache that is changed by hand. */
class Origin implements Informer<ApiObject> {
  readonly resource = resource;
  readonly indexes = indexes;
  readonly synced = true;
  readonly #objects = new ObjectIndex<ApiObject>(indexes);
  readonly #listeners = new Set<ChangeListener<ApiObject>>();

  get size(): number {
    return this.#objects.size;
  }

  whenSynced = () => Promise.resolve();
  at = (name: string) => this.#objects.get(name);
  get = ({ name }: { readonly name: string }) => this.at(name);
  all = () => this.#objects.all();
  select = (isWanted: (object: ApiObject) => boolean) => selectFrom(this.#objects.all(), isWanted);
  byIndex = (index: string, value: string) => this.#objects.byIndex(index, value);
  subscribe = (listener: ChangeListener<ApiObject>) => this.onChange(listener);

  onChange = (listener: ChangeListener<ApiObject>) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  write(name: string, data: number | undefined): void {
    const before = this.#objects.get(name);
    const after = data === undefined ? undefined : objectOf(name, data);
    if (after === undefined) this.#objects.remove(name);
    else this.#objects.put(name, after);
    for (const listener of this.#listeners) {
      if (after !== undefined) listener({ before, after, initial: false });
      else if (before !== undefined) listener({ before, after, initial: false });
    }
  }
}

const write = fc.record({
  where: fc.constantFrom("origin", "fork"),
  name: fc.constantFrom("a", "b", "c", "d"),
  data: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
});

test("a fork is what its origin was, and what was written to it; neither knows of the other's writes", () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 8 }), fc.array(write, { maxLength: 30 }), (earlier, later) => {
      const origin = new Origin();
      for (const { name, data } of earlier) origin.write(name, data);
      const fork = new ForkedInformer(origin);
      const model = new Map([...origin.all()].map(({ metadata, data }) => [metadata.name, data as number]));
      for (const { where, name, data } of later) {
        if (where === "origin") origin.write(name, data);
        else if (data !== undefined) fork.put(objectOf(name, data));
        else fork.remove(objectOf(name, 0));
        if (where === "fork" && data === undefined) model.delete(name);
        else if (where === "fork") model.set(name, data!);
      }
      const state = [...fork.all()].map(({ metadata, data }) => [metadata.name, data]);
      expect(new Map(state as [string, number][])).toEqual(model);
      expect(fork.size).toBe(model.size);
      for (const value of ["0", "1", "2", "3"]) {
        const expected = [...model].filter(([, data]) => String(data) === value).map(([name]) => name);
        expect(
          fork
            .byIndex("value", value)
            .map(({ metadata }) => metadata.name)
            .toSorted(),
        ).toEqual(expected.toSorted());
        const selected = fork.select(({ data }) => String(data) === value);
        expect(selected.map(({ metadata }) => metadata.name).toSorted()).toEqual(expected.toSorted());
      }
      for (const name of ["a", "b", "c", "d"]) expect(fork.get({ name })?.["data"]).toBe(model.get(name));
    }),
  );
});
