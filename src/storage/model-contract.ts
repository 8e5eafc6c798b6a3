import fc from "fast-check";
import { expect, test } from "vitest";
import type { StoreVariant } from "./contract.ts";
import { type Sample, sample, watchInto } from "./contract-sample.ts";
import type { Entry, Store, StoreEvent } from "./store.ts";

const prefixes = ["apps/deployments/", "/configmaps/", "batch/jobs/"];
const keys = prefixes.flatMap((prefix) => ["a/x", "a/y", "ab/x", "b/x"].map((rest) => prefix + rest));
const scopes = [...prefixes, ...prefixes.map((prefix) => `${prefix}a/`), keys[0]!];

type WriteStep = { readonly do: "create" | "update" | "delete"; readonly key: string; readonly stale: boolean };
type Step =
  | WriteStep
  | { readonly do: "compact"; readonly at: number }
  | { readonly do: "watch"; readonly scope: string; readonly at: number }
  | { readonly do: "list"; readonly scope: string; readonly at: number; readonly limit: number }
  | { readonly do: "reopen" };

/** Random sequences of everything a store can do, compared step by step with one that keeps every state it ever had. */
export function storageModel(name: string, variant: StoreVariant): void {
  test(`${name}: any sequence of steps is answered as by a store that keeps every state`, async () => {
    const runs = variant.reopen === undefined ? 300 : 40;
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep(), { minLength: 1, maxLength: 60 }), (steps) => play(variant, steps)),
      {
        numRuns: runs,
      },
    );
  });
}

function anyStep(): fc.Arbitrary<Step> {
  const key = fc.constantFrom(...keys);
  const scope = fc.constantFrom(...scopes);
  const at = fc.double({ min: 0, max: 1.1, noNaN: true }); // a share of the revisions so far, and a little beyond
  const write = (verb: "create" | "update" | "delete") =>
    fc.record({ do: fc.constant(verb), key, stale: fc.boolean() });
  return fc.oneof(
    { weight: 6, arbitrary: write("create") },
    { weight: 4, arbitrary: write("update") },
    { weight: 3, arbitrary: write("delete") },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("compact" as const), at }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("watch" as const), scope, at }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("list" as const), scope, at, limit: fc.integer({ min: 0, max: 3 }) }),
    },
    { weight: 1, arbitrary: fc.constant({ do: "reopen" as const }) },
  );
}

async function play(variant: StoreVariant, steps: readonly Step[]): Promise<void> {
  const model = new Model();
  let store = await variant.open();
  let watches: { scope: string; after: number; events: readonly StoreEvent<Sample>[] }[] = [];
  const compareWatches = () => {
    for (const { scope, after, events } of watches) expect(events.map(plain)).toEqual(model.events(scope, after));
  };
  for (const step of steps) {
    if (step.do === "reopen") {
      if (variant.reopen === undefined) continue;
      compareWatches();
      watches = [];
      store = await variant.reopen(store);
    } else if (step.do === "watch") {
      const after = Math.floor(step.at * model.revision);
      const { events, result } = watchInto(store, { prefix: step.scope, after });
      expect(result.ok).toBe(after >= model.dropped(step.scope));
      if (result.ok) watches.push({ scope: step.scope, after, events });
    } else if (step.do === "compact") {
      await store.compact(Math.floor(step.at * model.revision));
      model.compact(Math.floor(step.at * model.revision));
    } else if (step.do === "list") {
      compareList(store, { model, step });
    } else {
      await write(store, { model, step });
    }
    expect(store.revision).toBe(model.revision);
  }
  compareWatches();
  await store[Symbol.asyncDispose]();
}

async function write(store: Store<Sample>, { model, step }: { model: Model; step: WriteStep }) {
  const { key } = step;
  const current = model.get(key);
  const text = `${step.do} ${model.revision + 1}`;
  const expected = (current?.revision ?? 1) - (step.stale ? 1 : 0);
  if (step.do === "create") {
    const result = await store.create(key, sample(text));
    expect(result).toEqual(
      current === undefined ? model.write("created", key, text) : { ok: false, why: "exists", entry: current },
    );
    return;
  }
  const result =
    step.do === "update"
      ? await store.update(key, expected, sample(text))
      : await store.delete(key, expected, sample(text));
  if (current === undefined) expect(result).toEqual({ ok: false, why: "missing" });
  else if (step.stale) expect(result).toEqual({ ok: false, why: "conflict", entry: current });
  else expect(result).toEqual(model.write(step.do === "update" ? "updated" : "deleted", key, text));
}

function compareList(store: Store<Sample>, { model, step }: { model: Model; step: Step & { do: "list" } }): void {
  const at = Math.floor(step.at * model.revision);
  const first = store.list({ prefix: step.scope, at, limit: step.limit });
  if (at < model.dropped(step.scope)) {
    expect(first).toMatchObject({ ok: false, why: "compacted", oldest: model.dropped(step.scope) });
    return;
  }
  if (at > model.revision) {
    expect(first).toMatchObject({ ok: false, why: "future" });
    return;
  }
  const expected = model.list(step.scope, at);
  const entries: Entry<Sample>[] = [];
  for (
    let page = first;
    ;
    page = store.list({ prefix: step.scope, at, limit: step.limit, after: entries.at(-1)!.key })
  ) {
    if (!page.ok) throw new Error(`cannot list on: ${page.why}`);
    entries.push(...page.entries);
    expect(page.remaining).toBe(expected.length - entries.length);
    if (page.remaining === 0) break;
  }
  expect(entries).toEqual(expected);
}

function plain({ type, key, revision, value }: StoreEvent<Sample>) {
  return { type, key, revision, value };
}

/** Keeps every state and every event; too simple to be wrong. */
class Model {
  readonly #states: ReadonlyMap<string, Entry<Sample>>[] = [new Map()];
  readonly #events: ReturnType<typeof plain>[] = [];
  #compacted = 0;

  get revision(): number {
    return this.#events.length;
  }

  get(key: string): Entry<Sample> | undefined {
    return this.#states.at(-1)?.get(key);
  }

  write(type: StoreEvent<Sample>["type"], key: string, text: string) {
    const revision = this.revision + 1;
    const value = { revision, text };
    const entry = { key, value, revision, createRevision: this.get(key)?.createRevision ?? revision };
    const state = new Map(this.#states.at(-1));
    if (type === "deleted") state.delete(key);
    else state.set(key, entry);
    this.#states.push(state);
    this.#events.push({ type, key, revision, value });
    return { ok: true, entry };
  }

  compact(revision: number): void {
    this.#compacted = Math.max(this.#compacted, Math.min(revision, this.revision));
  }

  dropped(scope: string): number {
    const prefix = prefixes.find((candidate) => scope.startsWith(candidate));
    const lost = this.#events.filter(
      ({ key, revision }) => revision <= this.#compacted && key.startsWith(prefix ?? ""),
    );
    return lost.at(-1)?.revision ?? 0;
  }

  events(scope: string, after: number) {
    return this.#events.filter(({ key, revision }) => revision > after && isIn(key, scope));
  }

  list(scope: string, at: number): readonly Entry<Sample>[] {
    const entries = [...(this.#states[at]?.values() ?? [])].filter(({ key }) => isIn(key, scope));
    return entries.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }
}

function isIn(key: string, scope: string): boolean {
  return scope.endsWith("/") ? key.startsWith(scope) : key === scope;
}
