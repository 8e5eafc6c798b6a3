import type { ManagedFieldsEntry } from "#api/meta/object-meta.ts";
import { isJsonObject, type JsonObject } from "#base/json.ts";
import type { Comparison, States } from "./compare-objects.ts";
import type { FieldSet } from "./field-set.ts";
import type { FieldSetPool } from "./field-set-pool.ts";
import { KnownComparison } from "./known-comparison.ts";
import { type ManagedFields, managerKey, maxUpdaters, printManagedFields, sortEntries } from "./managed-fields.ts";
import { reowned, someUid } from "./owned-sets.ts";

/** Kinds and their writers, and of each what they did last. A server that is busy with more finds out anew each time. */
const maxWriters = 500;
const maxPatterns = 4;
/** Of one update, and of all that are remembered: a client that owns very many fields under very many names takes no room with them. */
const maxFields = 1_000;
const maxFieldsInAll = 100_000;

/** One update, as far as it matters to who owns what afterwards. */
export interface WriterUpdate {
  readonly states: States;
  /** The kind, who writes it, and by which endpoint: equal texts are equal in all of these. */
  readonly writer: string;
  readonly isNew: boolean;
  /** The entries before it. */
  readonly stored: readonly ManagedFieldsEntry[];
  readonly time: string;
}

/** What an update came to. */
interface UpdateOutcome {
  readonly comparison: Comparison;
  readonly managed: ManagedFields;
  /** Whose entry has the time of the update. */
  readonly updater: string | undefined;
}

interface Pattern {
  /** How many fields it is about. */
  readonly size: number;
  readonly schema: States["schema"];
  readonly known: KnownComparison;
  readonly isNew: boolean;
  readonly stored: readonly ManagedFieldsEntry[];
  readonly entries: readonly PatternEntry[];
}

interface PatternEntry {
  readonly entry: ManagedFieldsEntry;
  /** Which of the entries before has its time; none where it is that of the update. */
  readonly timeOf: number | undefined;
  /** The entry as it was last given out: what is written within a second shares it. */
  last: ManagedFieldsEntry;
}

/**
 * Who owns what after updates that were like the one at hand: the same fields of the same kind changed by the same writer, and owned by the
 * same ones before. That is so for nearly every write of a controller.
 */
export class KnownUpdates {
  readonly #pool: FieldSetPool;
  readonly #patterns = new Map<string, Pattern[]>();
  /** About how many fields all that is remembered is. */
  #size = 0;

  constructor(pool: FieldSetPool) {
    this.#pool = pool;
  }

  /** The entries after an update, when one like it is known. */
  recall(update: WriterUpdate): ManagedFieldsEntry[] | undefined {
    const patterns = this.#patterns.get(update.writer) ?? [];
    const pattern = patterns.find((each) => isLike(each, update));
    return pattern === undefined ? undefined : entriesOf(pattern, update);
  }

  /** Takes note of what an update came to, and returns its entries. */
  learn(update: WriterUpdate, { comparison, managed, updater }: UpdateOutcome): ManagedFieldsEntry[] | undefined {
    const printed = printManagedFields(managed);
    const size = countFields(comparison.removed) + countFields(comparison.modified) + countFields(comparison.added);
    if (printed === undefined || update.stored.length >= maxUpdaters || size > maxFields) return printed;
    const positions = new Map(update.stored.map((entry, index) => [keyOf(entry), index]));
    const entries = this.#pool.shared(printed).map((entry) => {
      const key = keyOf(entry);
      return { entry, timeOf: key === updater ? undefined : positions.get(key), last: entry };
    });
    const { states, isNew, stored } = update;
    const known = new KnownComparison(comparison);
    this.#add(update.writer, { size, schema: states.schema, known, isNew, stored, entries });
    return entries.map(({ entry }) => entry);
  }

  /** Entries that are about an owner of some uid, as if that had another: the one that stands for any. */
  likes(entries: readonly ManagedFieldsEntry[], uid: string): readonly ManagedFieldsEntry[] {
    return entries.map((entry) => {
      const { fieldsV1 } = entry;
      if (!isJsonObject(fieldsV1)) return entry;
      const known = this.#pool.ownedSet(fieldsV1);
      if (known?.uid === uid) return withSet(entry, known.like);
      const renamed = reowned(fieldsV1, uid, someUid);
      if (renamed === fieldsV1) return entry;
      const like = this.#pool.pooled(renamed);
      this.#pool.noteOwned(fieldsV1, { uid, like });
      return withSet(entry, like);
    });
  }

  /** The way back. */
  ownedBy(entries: readonly ManagedFieldsEntry[], uid: string): ManagedFieldsEntry[] {
    return entries.map((entry) => {
      const { fieldsV1 } = entry;
      if (!isJsonObject(fieldsV1)) return entry;
      const own = reowned(fieldsV1, someUid, uid);
      if (own === fieldsV1) return entry;
      this.#pool.adopt(own, { uid, like: fieldsV1 });
      return withSet(entry, own);
    });
  }

  #add(writer: string, pattern: Pattern): void {
    if (this.#patterns.size >= maxWriters || this.#size + pattern.size > maxFieldsInAll) {
      this.#patterns.clear();
      this.#size = 0;
    }
    const patterns = [pattern, ...(this.#patterns.get(writer) ?? [])];
    const left = patterns.length > maxPatterns ? patterns.pop() : undefined;
    this.#size += pattern.size - (left?.size ?? 0);
    this.#patterns.set(writer, patterns);
  }
}

function countFields(set: FieldSet): number {
  let count = 0;
  for (const element in set) count += 1 + countFields(set[element]!);
  return count;
}

function isLike({ schema, known, isNew, stored }: Pattern, update: WriterUpdate): boolean {
  if (schema !== update.states.schema || isNew !== update.isNew || stored.length !== update.stored.length) return false;
  return stored.every((entry, index) => isSameShare(entry, update.stored[index]!)) && known.isOf(update.states);
}

/** Whether two entries differ in nothing but their times. Their sets are shared where they are equal. */
function isSameShare(a: ManagedFieldsEntry, b: ManagedFieldsEntry): boolean {
  return (
    a.fieldsV1 === b.fieldsV1 &&
    a.manager === b.manager &&
    a.operation === b.operation &&
    a.apiVersion === b.apiVersion &&
    a.subresource === b.subresource
  );
}

function entriesOf({ entries }: Pattern, { stored, time }: WriterUpdate): ManagedFieldsEntry[] {
  const own = entries.map((each) => {
    const before = each.timeOf === undefined ? undefined : stored[each.timeOf];
    if (before !== undefined && before.fieldsV1 === each.entry.fieldsV1) return before; // as it was
    return timed(each, each.timeOf === undefined ? time : before?.time);
  });
  return sortEntries(own);
}

function timed(each: PatternEntry, time: string | undefined): ManagedFieldsEntry {
  if (each.last.time !== time) each.last = copyOf(each.entry, time, each.entry.fieldsV1);
  return each.last;
}

function withSet(entry: ManagedFieldsEntry, set: JsonObject): ManagedFieldsEntry {
  return copyOf(entry, entry.time, set);
}

function copyOf(
  { manager, operation, apiVersion, fieldsType, subresource }: ManagedFieldsEntry,
  time: string | undefined,
  fieldsV1: ManagedFieldsEntry["fieldsV1"],
): ManagedFieldsEntry {
  const copy: { -readonly [K in keyof ManagedFieldsEntry]: ManagedFieldsEntry[K] } = {};
  if (manager !== undefined) copy.manager = manager;
  if (operation !== undefined) copy.operation = operation;
  if (apiVersion !== undefined) copy.apiVersion = apiVersion;
  if (time !== undefined) copy.time = time;
  if (fieldsType !== undefined) copy.fieldsType = fieldsType;
  if (fieldsV1 !== undefined) copy.fieldsV1 = fieldsV1;
  if (subresource !== undefined) copy.subresource = subresource;
  return copy;
}

function keyOf({ manager = "", operation = "Update", apiVersion = "", subresource }: ManagedFieldsEntry): string {
  return managerKey({ manager, operation, apiVersion, ...(subresource === undefined ? {} : { subresource }) });
}
