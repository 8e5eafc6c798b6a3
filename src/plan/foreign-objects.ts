import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ObjectKey, ResourceId } from "#api/meta/resource-id.ts";
import type { Client } from "#client/client.ts";

/** Of how many objects of one kind a member is asked one by one, and then once in each further namespace. */
const askedSingly = 8;

/** What was asked about one kind. */
interface AskedKind {
  asked: number;
  /** By namespace. */
  readonly places: Map<string, Place>;
}

/** What was asked about one kind in one namespace. */
interface Place {
  asked: number;
  /** The names of all that are there; undefined when the member would not tell. */
  names?: Promise<ReadonlySet<string> | undefined>;
  /** The same, once they are there. */
  known?: ReadonlySet<string> | undefined;
  readonly answers: Map<string, Promise<ApiObject | undefined>>;
}

/** What a member has beside what is ours there, as far as it was asked; the same is not asked twice, and much is asked at once. */
export class ForeignObjects {
  readonly #client: Pick<Client, "get" | "list">;
  readonly #kinds = new Map<string, AskedKind>();

  constructor(client: Pick<Client, "get" | "list">) {
    this.#client = client;
  }

  /** Undefined when there is none, at once where that is known. */
  get(resource: ResourceId, key: ObjectKey): Promise<ApiObject | undefined> | undefined {
    const kind = this.#kindOf(resource);
    const place = placeIn(kind, key);
    const known = place.answers.get(key.name);
    if (known !== undefined || place.known?.has(key.name) === false) return known;
    const answer = this.#ask(resource, key, { kind, place });
    place.answers.set(key.name, answer);
    return answer;
  }

  #ask(
    resource: ResourceId,
    key: ObjectKey,
    { kind, place }: { readonly kind: AskedKind; readonly place: Place },
  ): Promise<ApiObject | undefined> {
    kind.asked++;
    place.asked++;
    if (kind.asked <= askedSingly || place.asked === 1) return this.#client.get(resource, key);
    place.names ??= this.#namesIn(resource, key).then((names) => {
      place.known = names;
      return names;
    });
    return place.names.then((names) => (names?.has(key.name) === false ? undefined : this.#client.get(resource, key)));
  }

  #kindOf({ group, resource }: ResourceId): AskedKind {
    const name = `${group}/${resource}`;
    const known = this.#kinds.get(name);
    if (known !== undefined) return known;
    const kind = { asked: 0, places: new Map<string, Place>() };
    this.#kinds.set(name, kind);
    return kind;
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

function placeIn({ places }: AskedKind, { namespace = "" }: ObjectKey): Place {
  const known = places.get(namespace);
  if (known !== undefined) return known;
  const place = { asked: 0, answers: new Map<string, Promise<ApiObject | undefined>>() };
  places.set(namespace, place);
  return place;
}
