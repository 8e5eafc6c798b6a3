import type { ApiObject } from "#api/meta/object-meta.ts";
import { jsonEquals } from "#base/json.ts";
import type { Change } from "#runtime/informer.ts";
import { SlotIndex } from "#selection/slot-index.ts";
import { type Template, templateOf } from "#selection/template.ts";
import { TemplateIndex } from "#selection/template-index.ts";
import { claimOf } from "./claim.ts";

/** A template that changed, by its key. */
export interface TemplateChange {
  readonly key: string;
  readonly change: Change<ApiObject>;
}

/** Where a template stands in the indexes. */
interface Place {
  readonly template: Template;
  /** Of the policy that holds it. */
  readonly policyId: string | undefined;
  readonly isGone: boolean;
}

/** More news than this are not left for whoever asks next. */
const mostNews = 1_000;

/**
 * Templates by what policies say of them, and by the policy that holds them. Asked when a policy changes, told whenever a template does, several
 * times while it is new: news are gathered, and what is new is indexed together, since one by one is far dearer.
 */
export class TemplateIndexes {
  #templates = TemplateIndex.empty();
  /** Keys of templates, in slots by the policy id that they carry. */
  #claimed = SlotIndex.empty<string>();
  /** By key; the newest alone. */
  readonly #news = new Map<string, Place>();

  /** What others are by now; neither changes with the other. */
  startFrom(others: TemplateIndexes): void {
    this.#templates = others.templates;
    this.#claimed = others.claimed;
  }

  get templates(): TemplateIndex {
    this.#settle();
    return this.#templates;
  }

  get claimed(): SlotIndex<string> {
    this.#settle();
    return this.#claimed;
  }

  accept({ key, change: { before, after } }: TemplateChange): void {
    const object = (after ?? before)!; // one of them is there
    if (before !== undefined && after !== undefined && standsWhereItWas(before, after)) return;
    this.#news.set(key, { template: templateOf(object), policyId: policyIdOf(object), isGone: after === undefined });
    if (this.#news.size >= mostNews) this.#settle();
  }

  #settle(): void {
    if (this.#news.size === 0) return;
    const fresh: Template[] = [];
    const freshClaims = new Map<string, { readonly value: string; readonly slots: readonly string[] }>();
    for (const [key, { template, policyId, isGone }] of this.#news) {
      if (isGone) this.#templates = this.#templates.without(template);
      else if (this.#templates.has(key)) this.#templates = this.#templates.with(template);
      else fresh.push(template);
      if (isGone || policyId === undefined) this.#claimed = this.#claimed.delete(key);
      else if (this.#claimed.has(key)) this.#claimed = this.#claimed.put(key, { value: key, slots: [policyId] });
      else freshClaims.set(key, { value: key, slots: [policyId] });
    }
    this.#templates = this.#templates.withNew(fresh);
    this.#claimed = this.#claimed.putNew(freshClaims);
    this.#news.clear();
  }
}

function standsWhereItWas(before: ApiObject, after: ApiObject): boolean {
  return jsonEquals(before.metadata.labels, after.metadata.labels) && policyIdOf(before) === policyIdOf(after);
}

function policyIdOf({ metadata }: ApiObject): string | undefined {
  return claimOf(metadata)?.policyId;
}
