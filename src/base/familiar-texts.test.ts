import fc from "fast-check";
import { expect, test } from "vitest";
import { deepFreeze } from "#test/world/slow-parts.ts";
import { FamiliarTexts } from "./familiar-texts.ts";

const webAt = (name: string, time: string, more: object = {}) => ({
  kind: "Web",
  metadata: { name, labels: { app: name, team: 'shop, with "quotes" and \\' } },
  spec: {
    template: { labels: { app: name }, image: "nginx:1", ports: [80, 443], args: [] },
    owner: "the very same for all",
  },
  status: { conditions: [{ type: "Available", reason: "because of something", since: time }], observed: time, ...more },
});
const textAt = (...given: Parameters<typeof webAt>) => JSON.stringify([webAt(...given)]);
const isOwn = (depth: number, key: string) => depth < 2 || (depth === 2 && key === "metadata");

/** Reads texts, and those that are not familiar as everybody does. */
function reading(options: ConstructorParameters<typeof FamiliarTexts>[0] = {}) {
  const texts = new FamiliarTexts(options);
  const found = { familiar: 0 };
  const read = (text: string): ReturnType<typeof webAt> => {
    const value = texts.read(text);
    if (value !== undefined) found.familiar++;
    return ((value ?? JSON.parse(text)) as never)[0];
  };
  return { read, found };
}

test("what is like others is read without reading all of it, and is the same", () => {
  const { read, found } = reading();
  for (const name of ["a", "b", "c", 'd "quoted"\\', "é\u2028\ud83d\ude00", ""])
    for (const time of ["10:00", "10:01"]) expect(read(textAt(name, time))).toStrictEqual(webAt(name, time));
  expect(found.familiar).toBeGreaterThanOrEqual(8);
});

test("leaves that were always the same may differ, and of another sort", () => {
  const { read } = reading();
  for (const more of [
    { n: 1 },
    { n: 1 },
    { n: "1" },
    { n: -1.5 },
    { n: null },
    { n: true },
    { n: [] },
    { n: {} },
    { n: "" },
    { n: [1] },
    { n: 12 },
  ])
    for (const name of ["a", "b"]) expect(read(textAt(name, "10:00", more))).toStrictEqual(webAt(name, "10:00", more));
});

test("what texts have in common is one, and what they have alike", () => {
  const { read } = reading({ isOwn });
  for (const name of ["a", "b", "c"]) for (const time of ["10:00", "10:01"]) read(textAt(name, time));
  const [first, second] = [read(textAt("long-name-of-one", "11:00")), read(textAt("long-name-of-two", "11:00"))];
  expect(second.status).toBe(first.status);
  expect(second.spec.template.ports).toBe(first.spec.template.ports);
  expect(second.spec).not.toBe(first.spec);
  const again = read(textAt("long-name-of-one", "12:00"));
  expect(again.spec).toBe(first.spec);
  expect(again.status).not.toBe(first.status);
  expect(again.metadata.labels).toBe(first.metadata.labels);
});

test("parts of other kinds that are the same are one", () => {
  const { read } = reading({ isOwn });
  const workOf = (name: string) => ({
    kind: "Work",
    metadata: { name },
    spec: { ...webAt(name, "9:00"), status: name },
  });
  for (const name of ["a", "b"]) for (const each of [webAt(name, "9:00"), workOf(name)]) read(JSON.stringify([each]));
  const web = read(textAt("c", "9:00"));
  const work = read(JSON.stringify([workOf("c")])) as unknown as ReturnType<typeof workOf>;
  expect(work).toStrictEqual(workOf("c"));
  expect(work.spec.spec).toBe(web.spec);
});

test("what may be changed is made anew each time", () => {
  const { read } = reading({ isOwn });
  const all = Array.from({ length: 5 }, () => read(textAt("a", "10:00")));
  expect(new Set(all).size).toBe(5);
  expect(new Set(all.map(({ metadata }) => metadata)).size).toBe(5);
  expect(new Set(all.map(({ spec }) => spec)).size).toBeLessThan(5);
});

/** A value's objects and lists, all the way down. */
const partsIn = (value: unknown): readonly object[] =>
  typeof value !== "object" || value === null ? [] : [value, ...Object.values(value).flatMap(partsIn)];

test("it is told of what it gives out again", () => {
  const { read } = reading({ isOwn, onNew: deepFreeze });
  for (const name of ["a", "b", "c", "d"]) for (const time of ["10:00", "10:01"]) read(textAt(name, time));
  const { spec, status, metadata } = read(textAt("e", "10:00"));
  expect([spec, spec.template.ports, status, metadata.labels].every(Object.isFrozen)).toBe(true);
  expect(Object.isFrozen(metadata)).toBe(false);
});

test("it is told of small parts, too, that are the same in all texts", () => {
  const { read } = reading({ isOwn, onNew: deepFreeze });
  const small = { none: [], finalizers: ["keep"], nothing: {}, long: "x".repeat(5_000) };
  const readNext = (name: string) => read(JSON.stringify([{ ...webAt(name, name), small, metadata: small }]));
  for (const name of ["a", "b", "c"]) readNext(name);
  const [one, other] = [readNext("d"), readNext("e")];
  const again = new Set(partsIn(other));
  const shared = partsIn(one).filter((part) => again.has(part));
  expect(shared.filter((part) => Object.keys(part).length === 0)).toHaveLength(2 + 2 + 1); // of both, and no arguments
  expect(shared.filter((part) => !Object.isFrozen(part))).toEqual([]);
});

test("texts that are rare or damaged are left to others", () => {
  const { read } = reading();
  for (const text of [
    '[{"__proto__":{"a":1}}]',
    '[{"a\\"b":1}]',
    '[{"a": 1}]',
    '[{"a":1,"a":2}]',
    '[{"1":1,"0":2}]',
    "[[]]",
  ])
    for (let time = 0; time < 3; time++) expect(read(text)).toStrictEqual(JSON.parse(text)[0]);
  const texts = new FamiliarTexts();
  for (const name of ["a", "b", "c"]) texts.read(textAt(name, "10:00"));
  const text = textAt("d", "10:00");
  expect(texts.read(text)).toBeDefined();
  for (const damaged of [text.slice(0, -1), `${text}]`, text.replace("d", '"'), text.replace("nginx", "nginy\n"), ""])
    expect(() => texts.read(damaged) ?? JSON.parse(damaged)).toThrow();
});

test("what has no end of forms is not learnt without end", () => {
  const texts = new FamiliarTexts();
  const texted = (form: number) => JSON.stringify([{ kind: "Web with a long name", [`of-form-${form}`]: form }]);
  for (let form = 0; form < 1_000; form++) expect(texts.read(texted(form))).toBeUndefined();
  expect(texts.read(texted(999))).toBeUndefined(); // it had stopped before
});

test("random texts of few forms are read as JSON.parse does", () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.constantFrom("10:00", "a", "", '"', "\\", '\\"', "é"),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.constantFrom("a", "b", "spec", "1", "__proto__", 'q"'), fc.string()), tie("tree"), {
        maxKeys: 5,
      }),
    ),
  }));
  const replaced = (value: unknown, leaves: () => unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => replaced(item, leaves));
    if (typeof value !== "object" || value === null) return leaves() ?? value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, leaves)]));
  };
  let familiar = 0;
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string(), tree), { maxLength: 3 }),
      fc.infiniteStream(fc.option(leaf, { freq: 3, nil: undefined })),
      (forms, leaves) => {
        const texts = new FamiliarTexts({ isOwn, onNew: deepFreeze });
        const given = new Set<object>();
        for (let round = 0; round < 6; round++)
          for (const form of forms) {
            const text = JSON.stringify([replaced(form, () => leaves.next().value)]);
            const value = texts.read(text);
            if (value === undefined) continue;
            familiar++;
            expect(value).toStrictEqual(JSON.parse(text));
            const parts = partsIn(value);
            expect(parts.filter((part) => given.has(part) && !Object.isFrozen(part))).toEqual([]);
            for (const part of parts) given.add(part);
          }
      },
    ),
    { numRuns: 300 },
  );
  expect(familiar).toBeGreaterThan(100);
});
