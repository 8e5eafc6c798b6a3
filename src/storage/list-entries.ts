import type { Collection } from "./collection.ts";
import { isInScope, type Scope } from "./scope.ts";
import { firstAtLeast } from "./sorted-keys.ts";
import type { Entry, ListRequest, ListResult } from "./store.ts";

/** What a list reads, all of one turn. */
export interface ListFacts<Value> {
  readonly scope: Scope;
  readonly collection: Collection<Value>;
  readonly entries: ReadonlyMap<string, Entry<Value>>;
  readonly revision: number;
}

/** A page of a scope, as it is now or, when the history still reaches back, as it was at `request.at`. */
export function listEntries<Value>(request: ListRequest, facts: ListFacts<Value>): ListResult<Value> {
  const { collection, revision } = facts;
  const at = request.at ?? revision;
  const oldest = collection.history.dropped;
  if (at > revision) return { ok: false, why: "future", revision, oldest };
  if (at < oldest) return { ok: false, why: "compacted", revision, oldest };

  const former = changedSince(at, request, facts);
  const keys = presentKeys(request, facts);
  const total = keys.end - keys.start + lengthDifference(former, facts.entries);
  const limit = request.limit === undefined || request.limit === 0 ? total : request.limit;
  const page = former.size === 0 ? presentPage(keys, limit, facts) : formerPage(keys, limit, { ...facts, former });
  return { ok: true, entries: page, revision: at, remaining: total - page.length };
}

/** The entry that a key had at the listed revision; undefined when there was none. */
type Former<Value> = ReadonlyMap<string, Entry<Value> | undefined>;

interface KeyRange {
  readonly keys: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The keys of the page's range that changed after `at`. */
function changedSince<Value>(at: number, request: ListRequest, facts: ListFacts<Value>): Former<Value> {
  const former = new Map<string, Entry<Value> | undefined>();
  if (at === facts.revision) return former;
  for (const change of facts.collection.history.after(at)) {
    if (former.has(change.key) || !isInScope(change.key, facts.scope)) continue; // the first change since tells the state then
    if (request.after !== undefined && change.key <= request.after) continue;
    former.set(change.key, change.before);
  }
  return former;
}

function presentKeys<Value>({ after }: ListRequest, { scope, collection }: ListFacts<Value>): KeyRange {
  const keys = collection.keys.inOrder();
  const { start, end } = collection.keys.range(scope);
  if (after === undefined) return { keys, start, end };
  const index = firstAtLeast(keys, after);
  const resume = keys[index] === after ? index + 1 : index;
  return { keys, start: Math.min(Math.max(start, resume), end), end };
}

/** How many more entries the range had then than it has now. */
function lengthDifference<Value>(former: Former<Value>, now: ReadonlyMap<string, Entry<Value>>): number {
  let difference = 0;
  for (const [key, entry] of former) difference += (entry === undefined ? 0 : 1) - (now.has(key) ? 1 : 0);
  return difference;
}

function presentPage<Value>({ keys, start, end }: KeyRange, limit: number, { entries }: ListFacts<Value>) {
  const page: Entry<Value>[] = [];
  const stop = Math.min(end, start + limit);
  for (let index = start; index < stop; index++) page.push(entries.get(keys[index]!)!);
  return page;
}

/** Walks the present keys and the changed ones side by side; a changed key shows its former entry, if it had one. */
function formerPage<Value>(range: KeyRange, limit: number, facts: ListFacts<Value> & { former: Former<Value> }) {
  const page: Entry<Value>[] = [];
  const changed = [...facts.former.keys()].sort();
  let index = range.start;
  let next = 0;
  while (page.length < limit && (index < range.end || next < changed.length)) {
    const present = index < range.end ? range.keys[index] : undefined;
    const key = changed[next];
    if (key === undefined || (present !== undefined && present < key)) {
      page.push(facts.entries.get(present!)!);
      index++;
      continue;
    }
    const entry = facts.former.get(key);
    if (entry !== undefined) page.push(entry);
    if (key === present) index++;
    next++;
  }
  return page;
}
