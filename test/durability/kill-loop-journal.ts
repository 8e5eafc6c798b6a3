import type { StoreEvent } from "#storage/store.ts";

type Type = StoreEvent<string>["type"];

/** What a writer notes before and after everything it does. */
export type JournalLine =
  | {
      readonly is: "opened";
      readonly revision: number;
      readonly entries: readonly (readonly [key: string, revision: number, name: string])[];
    }
  | { readonly is: "resumed"; readonly after: number; readonly revision: number }
  | { readonly is: "compacted"; readonly after: number; readonly oldest: number }
  | {
      readonly is: "event";
      readonly type: Type;
      readonly key: string;
      readonly revision: number;
      readonly name: string;
    }
  | { readonly is: "tried"; readonly type: Type; readonly key: string; readonly name: string }
  | {
      readonly is: "acknowledged";
      readonly type: Type;
      readonly key: string;
      readonly revision: number;
      readonly name: string;
    };

/** What a key holds as far as the clients know; a revision of 0 with no name: nothing. */
interface Known {
  readonly revision: number;
  readonly name: string | undefined;
}

/**
 * Reads the journal of many lives of a store and collects every broken promise: acknowledged writes that are lost, writes with
 * half an effect, revisions that go back or are used twice, watches with a gap.
 */
export class JournalChecker {
  readonly violations: string[] = [];
  readonly counts = { opened: 0, acknowledged: 0, events: 0, resurfaced: 0 };
  readonly #known = new Map<string, Known>();
  readonly #unanswered = new Map<string, { readonly type: Type; readonly name: string }>();
  readonly #tried = new Map<string, Type>();
  readonly #revisions = new Map<number, string>();
  /** Acknowledged and not yet seen by the watch. */
  readonly #owedEvents = new Set<number>();
  #newest = 0;
  #lastEvent = 0;

  /** The revision from which the next watch resumes. */
  get lastEvent(): number {
    return this.#lastEvent;
  }

  take(line: JournalLine): void {
    switch (line.is) {
      case "opened":
        this.#takeOpened(line);
        break;
      case "resumed":
        // The replay came before this line: whatever was acknowledged until now must have been in it.
        for (const revision of this.#owedEvents)
          this.#report(`the watch after ${line.after} left out revision ${revision}`);
        this.#owedEvents.clear();
        break;
      case "compacted":
        this.#report(`the watch after ${line.after} was turned away, although only older history was compacted`);
        break;
      case "event":
        this.#takeEvent(line);
        break;
      case "tried":
        this.#unanswered.set(line.key, line);
        this.#tried.set(line.name, line.type);
        break;
      case "acknowledged":
        this.#takeAcknowledged(line);
        break;
    }
  }

  #takeOpened({ revision, entries }: JournalLine & { is: "opened" }): void {
    this.counts.opened++;
    if (revision < this.#newest)
      this.#report(`revision ${this.#newest} was seen, then the store opened at ${revision}`);
    this.#newest = Math.max(this.#newest, revision);
    const found = new Map(entries.map(([key, at, name]) => [key, { revision: at, name }]));
    for (const key of new Set([...this.#known.keys(), ...this.#unanswered.keys(), ...found.keys()])) {
      this.#compareKey(key, found.get(key) ?? { revision: 0, name: undefined });
    }
    this.#unanswered.clear();
  }

  /** A key holds what was acknowledged last, or the whole effect of the one write that was not answered. */
  #compareKey(key: string, found: Known): void {
    const known = this.#known.get(key) ?? { revision: 0, name: undefined };
    const open = this.#unanswered.get(key);
    const isKnown = found.name === known.name && (found.name === undefined || found.revision === known.revision);
    const isEffect = open !== undefined && found.name === (open.type === "deleted" ? undefined : open.name);
    if (!isKnown && !isEffect) this.#report(`${key} holds ${shown(found)} instead of ${shown(known)}`);
    if (!isKnown && isEffect) this.counts.resurfaced++;
    if (!isKnown && isEffect && found.revision !== 0) this.#claim(found.revision, found.name ?? "");
    this.#known.set(key, found);
  }

  #takeEvent({ type, revision, name }: JournalLine & { is: "event" }): void {
    this.counts.events++;
    if (revision <= this.#lastEvent) this.#report(`event ${revision} came after event ${this.#lastEvent}`);
    if (this.#tried.get(name) !== type) this.#report(`event ${revision} (${type}) tells of a write that nobody tried`);
    this.#claim(revision, name);
    this.#lastEvent = Math.max(this.#lastEvent, revision);
    this.#newest = Math.max(this.#newest, revision);
    this.#owedEvents.delete(revision);
  }

  #takeAcknowledged({ type, key, revision, name }: JournalLine & { is: "acknowledged" }): void {
    this.counts.acknowledged++;
    this.#claim(revision, name);
    this.#unanswered.delete(key);
    this.#known.set(key, type === "deleted" ? { revision: 0, name: undefined } : { revision, name });
    this.#newest = Math.max(this.#newest, revision);
    if (revision > this.#lastEvent) this.#owedEvents.add(revision);
  }

  #claim(revision: number, name: string): void {
    const holder = this.#revisions.get(revision);
    if (holder !== undefined && holder !== name) this.#report(`revision ${revision} was given to two writes`);
    this.#revisions.set(revision, name);
  }

  #report(violation: string): void {
    this.violations.push(violation);
  }
}

function shown({ revision, name }: Known): string {
  return name === undefined ? "nothing" : `"${name.slice(0, 20)}" at ${revision}`;
}
