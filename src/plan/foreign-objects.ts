import type { ApiObject } from "#api/meta/object-meta.ts";
import { type ObjectKey, printKey, type ResourceId } from "#api/meta/resource-id.ts";
import type { Client } from "#client/client.ts";

/** Of how many objects of one kind a member is asked one by one, and then once in each further namespace. */
const askedSingly = 8;

/** What was asked about one kind in one namespace. */
interface Place {
  asked: number;
  /** The names of all that are there; undefined when the member would not tell. */
  names?: Promise<ReadonlySet<string> | undefined>;
}

/** What a member has beside what is ours there, as far as it was asked; the same is not asked twice, and much is asked at once. */
export class ForeignObjects {
  readonly #client: Pick<Client, "get" | "list">;
  readonly #places = new Map<string, Place>();
  /** How often each kind was asked for. */
  readonly #asked = new Map<string, number>();
  readonly #answers = new Map<string, Promise<ApiObject | undefined>>();

  constructor(client: Pick<Client, "get" | "list">) {
    this.#client = client;
  }

  /** Undefined when there is none. */
  get(resource: ResourceId, key: ObjectKey): Promise<ApiObject | undefined> {
    const name = `${resource.group}/${resource.resource}/${printKey(key)}`;
    const known = this.#answers.get(name);
    if (known !== undefined) return known;
    const answer = this.#ask(resource, key);
    this.#answers.set(name, answer);
    return answer;
  }

  #ask(resource: ResourceId, key: ObjectKey): Promise<ApiObject | undefined> {
    const place = this.#placeOf(resource, key);
    const asked = this.#count(resource);
    place.asked++;
    if (asked <= askedSingly || place.asked === 1) return this.#client.get(resource, key);
    place.names ??= this.#namesIn(resource, key);
    return place.names.then((names) => (names?.has(key.name) === false ? undefined : this.#client.get(resource, key)));
  }

  #count({ group, resource }: ResourceId): number {
    const name = `${group}/${resource}`;
    const asked = (this.#asked.get(name) ?? 0) + 1;
    this.#asked.set(name, asked);
    return asked;
  }

  #placeOf({ group, resource }: ResourceId, { namespace = "" }: ObjectKey): Place {
    const name = `${group}/${resource}/${namespace}`;
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const place = { asked: 0 };
    this.#places.set(name, place);
    return place;
  }

  async #namesIn(resource: ResourceId, { namespace }: ObjectKey): Promise<ReadonlySet<string> | undefined> {
    try {
      const list = await this.#client.list(resource, namespace === undefined ? {} : { namespace });
      return list.continue === undefined ? new Set(list.items.map(({ metadata }) => metadata.name)) : undefined;
    } catch {
      return undefined; // whoever may not list may perhaps read one
    }
  }
}
