import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiObject, Fields } from "#api/meta/object-meta.ts";
import { FieldSetPool } from "#apiserver/apply/field-set-pool.ts";
import { FieldSetTexts } from "#apiserver/apply/field-set-texts.ts";
import { someUid } from "#apiserver/apply/owned-sets.ts";
import { SettledParts } from "#apiserver/write/settled-parts.ts";
import { RawNumber, stringifyJson } from "#base/json.ts";
import { parsePrinted } from "#base/parse-json.ts";
import { SharedTexts } from "#storage/shared-texts.ts";
import { deepFreeze } from "#test/world/slow-parts.ts";
import { KeptOwnership } from "./kept-ownership.ts";
import { StoredTexts } from "./stored-text.ts";

const newTexts = (known: SharedTexts = new SharedTexts()) => {
  const shared = new SharedTexts();
  for (const text of known.unsaved()) shared.restore(text);
  return textsOver(shared);
};
const textsOver = (shared: SharedTexts, pool = new FieldSetPool()) =>
  new StoredTexts(
    new KeptOwnership(new FieldSetTexts(pool), shared, pool),
    new SettledParts({ onSettled: deepFreeze }),
  );
const configMap = (managedFields: unknown) =>
  ({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: "a", namespace: "b", managedFields },
    data: { "it's": '"quoted"' },
  }) as unknown as ApiObject;
const entry = {
  manager: "kubectl",
  operation: "Update",
  apiVersion: "v1",
  time: "2026-11-15T18:20:23Z",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:data": { ".": {}, 'k:{"name":"web"}': {} } },
};

test("who owns which field is kept shortly, and comes back as it was", () => {
  const texts = newTexts();
  const object = configMap([entry, { ...entry, subresource: "status" }]);
  const text = texts.encode(object);
  expect(text).toContain(`["kubectl","Update","v1","2026-11-15T18:20:23Z","{'f:data':{'.':{},'k:{`);
  expect(text).not.toContain("fieldsV1");
  expect(stringifyJson(texts.decode(text))).toBe(stringifyJson(object));
});

test("what owners have in common is kept once, from the second time on, and comes back in another process", () => {
  const shared = new SharedTexts();
  const texts = textsOver(shared);
  const objects = ["d9428888-122b-11e1-b85c-61cd3cbb3210", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"].map((uid) => {
    const fieldsV1 = { "f:metadata": { "f:ownerReferences": { [`k:{"uid":"${uid}"}`]: {} } } };
    return configMap([structuredClone(entry), { ...entry, fieldsV1, subresource: "status" }]);
  });
  const [first, second] = objects.map((object) => texts.encode(object));
  expect(first).toContain("f:ownerReferences");
  expect(second).toContain(
    '[[1,"2026-11-15T18:20:23Z"],[2,"2026-11-15T18:20:23Z","6ba7b810-9dad-11d1-80b4-00c04fd430c8"]]',
  );
  const read = [first, second].map((text) => newTexts(shared).decode(text ?? ""));
  expect(read.map((object) => stringifyJson(object))).toEqual(objects.map((object) => stringifyJson(object)));
  expect(() => newTexts().decode(second ?? "")).toThrow("there is no shared text 1");
});

test("objects that are read back share equal sets", () => {
  const texts = newTexts();
  const [a, b] = [1, 2].map(() => texts.decode(texts.encode(configMap([structuredClone(entry)]))));
  expect(a?.metadata.managedFields?.[0]?.fieldsV1).toBe(b?.metadata.managedFields?.[0]?.fieldsV1);
});

test("sets that differ in their owner's uid share all else", () => {
  const texts = newTexts();
  const [a, b] = ["d9428888-122b-11e1-b85c-61cd3cbb3210", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"].map((uid) => {
    const fieldsV1 = { "f:data": { "f:a": {} }, "f:metadata": { "f:ownerReferences": { [`k:{"uid":"${uid}"}`]: {} } } };
    const object = configMap([{ ...entry, fieldsV1 }]);
    const read = texts.decode(texts.encode(object));
    expect(read).toEqual(object);
    expect(texts.encode(read)).toBe(texts.encode(object));
    return read.metadata.managedFields?.[0]?.fieldsV1 as typeof fieldsV1;
  });
  expect(a?.["f:data"]).toBe(b?.["f:data"]);
});

test("a set that is known to be about an owner is kept as it would be otherwise", () => {
  const uid = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
  const about = (owner: string, more: string) => ({
    "f:metadata": { "f:ownerReferences": { [`k:{"uid":"${owner}"}`]: {} }, [more]: {} },
  });
  for (const more of ["f:labels", `f:${uid}`, `f:${someUid}`]) {
    const pool = new FieldSetPool();
    const [set, like] = [about(uid, more), about(someUid, more)];
    pool.adopt(set, { uid, like });
    const shared = new SharedTexts();
    const texts = textsOver(shared, pool);
    const object = configMap([{ ...entry, fieldsV1: set }]);
    const kept = [1, 2, 3].map(() => texts.encode(object));
    expect(kept.map((text) => text.includes("f:ownerReferences"))).toEqual(
      more === `f:${someUid}` ? [true, true, true] : [true, false, false],
    );
    for (const text of kept) expect(stringifyJson(newTexts(shared).decode(text))).toBe(stringifyJson(object));
  }
});

test("numbers that JavaScript would spell otherwise come back as they were", () => {
  const object = { ...configMap([entry]), precise: new RawNumber("1.0"), plain: -1.5e-7 } as ApiObject;
  const texts = newTexts();
  expect(stringifyJson(texts.decode(texts.encode(object)))).toBe(stringifyJson(object));
});

test("what was kept in full is read as well", () => {
  const object = configMap([entry]);
  expect(newTexts().decode(stringifyJson(object))).toEqual(object);
  expect(newTexts().decode(`\n${JSON.stringify(object)}`)).toEqual(object);
});

const otherUidKey = 'k:{"uid":"d9428888-122b-11e1-b85c-61cd3cbb3210"}';
const someUidKey = 'k:{"uid":"00000000-0000-0000-0000-000000000000"}';
const uidKey = 'k:{"uid":"6ba7b810-9dad-11d1-80b4-00c04fd430c8"}';

test("any object comes back letter for letter, in another process, too", () => {
  const step = fc.oneof(
    fc.string(),
    fc.constantFrom("f:it's", 'k:{"name":"x"}', 'k:{"uid":"1"}', "v:1.0", "__proto__", uidKey, otherUidKey, someUidKey),
  );
  const leaf = fc.dictionary(step, fc.constant({}), { maxKeys: 3 });
  const set = fc.dictionary(step, fc.dictionary(step, leaf, { maxKeys: 3 }), { maxKeys: 3 });
  const text = fc.option(fc.string(), { nil: undefined });
  const entries = fc.array(
    fc.oneof(
      fc.record({ ...mapped(fc.string()), fieldsType: fc.constant("FieldsV1"), fieldsV1: set, subresource: text }),
      fc.record({ manager: text, time: text, fieldsV1: fc.option(set), more: text }),
    ),
  );
  const amount = fc.constantFrom(1, -1, 1.5, new RawNumber("1.0"), new RawNumber("9007199254740993"));
  fc.assert(
    fc.property(entries, amount, (managedFields, value) => {
      const object = { ...configMap(managedFields.map(withoutUndefined)), value } as ApiObject;
      const shared = new SharedTexts();
      const texts = textsOver(shared);
      // alone, and when it is like one before
      for (const kept of [texts.encode(object), texts.encode(structuredCopy(object))])
        expect(stringifyJson(newTexts(shared).decode(kept))).toBe(stringifyJson(object));
      // after others that differ in a few words, and in whom they belong to
      const reader = newTexts(shared);
      for (const name of ["a", "b", "c", "b"])
        for (const fields of [managedFields, managedFields.slice(1)]) {
          const like = named({ ...configMap(fields.map(withoutUndefined)), value } as ApiObject, name);
          expect(stringifyJson(reader.decode(texts.encode(like)))).toBe(stringifyJson(like));
        }
    }),
    { numRuns: 500 },
  );
});

function named(object: ApiObject, name: string): ApiObject {
  return { ...object, metadata: { ...object.metadata, name } };
}

/** Equal, and nothing in it the same. */
function structuredCopy(object: ApiObject): ApiObject {
  return parsePrinted(stringifyJson(object)) as unknown as ApiObject; // it was one
}

function mapped<T>(value: T) {
  return { manager: value, operation: value, apiVersion: value, time: value };
}

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

test("what objects say alike is read once", () => {
  const texts = newTexts();
  const deployment = (name: string) =>
    ({
      ...configMap([]),
      metadata: { name, labels: { app: "web" } },
      spec: { replicas: 2, selector: { matchLabels: { app: "web" } } },
      status: { replicas: 2 },
    }) as unknown as ApiObject & { spec: object };
  const [a, b] = ["a", "b"].map((name) => texts.decode(texts.encode(deployment(name)))) as ReturnType<
    typeof deployment
  >[];
  expect([a, b]).toStrictEqual([deployment("a"), deployment("b")]);
  expect(a?.spec).toBe(b?.spec);
  expect([a?.status, a?.metadata.labels]).toEqual([b?.status, b?.metadata.labels]);
});

test("nobody changes what objects share that are read back, be it small or large", () => {
  const texts = newTexts();
  const small = { finalizers: ["keep"], ownerReferences: [], annotations: {} };
  const large = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`key-${at}`, `a longer text ${at}`]));
  const read = (name: string): Fields => {
    const object = { ...configMap([]), metadata: { name, ...small }, spec: { name, large, small, none: [] } };
    return texts.decode(texts.encode(object as unknown as ApiObject));
  };
  for (const name of ["a", "b", "c"]) read(name); // each may widen what is known
  const [{ metadata, spec }, other] = [read("d"), read("e")];
  const shared = [...Object.keys(small).map((key) => metadata[key]), spec.large, spec.small, spec.none];
  const again = [other["metadata"], other["spec"]].flatMap(Object.values);
  expect(shared.filter((part) => !again.includes(part))).toEqual([]);
  expect(shared.filter((part) => !Object.isFrozen(part))).toEqual([]);
  expect(Object.isFrozen(metadata)).toBe(false);
});
