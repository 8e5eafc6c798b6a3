import type { CallOptions, ObjectList } from "#api/meta/api-call.ts";
import type { ApiObject } from "#api/meta/object-meta.ts";
import type { ResourceType } from "#api/meta/resource-type.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { Entry, ListResult } from "#storage/store.ts";
import { type ContinueToken, parseContinue, printContinue } from "./continue-token.ts";
import type { Core, Target } from "./core.ts";
import { expectListOptions } from "./list-options.ts";
import { listPrefix, storageKey } from "./registry.ts";
import { futureRevision, parseRevision } from "./revision.ts";
import { type ObjectFilter, parseFilter } from "./selectors.ts";

interface Page {
  readonly limit: number;
  /** Only what lies after this key. */
  readonly after: string | undefined;
  /** The state as of this revision; undefined for now. */
  readonly at: number | undefined;
}

/** One page of a consistent list. */
export function listObjects(core: Core, target: Target, options: CallOptions): ObjectList {
  const { type, namespace } = target;
  const filter = parseFilter(type, options);
  const page = pageOf(core, target, options);
  if (filter.name !== undefined && (namespace !== undefined || !type.namespaced) && page.at === undefined) {
    return listOne(core, target, filter);
  }
  const prefix = listPrefix(type, namespace);
  if (filter.all) {
    const result = expectKept(core, { type, options }, core.store.list(storeRequest(prefix, page)));
    return pageResult(core, { type, prefix, result, entries: result.entries, remaining: result.remaining, filter });
  }
  return listFiltered(core, options, { type, prefix, page, filter });
}

/** `/ns/name` of a key below its resource prefix. */
function listOne(core: Core, { type, namespace }: Target, filter: ObjectFilter): ObjectList {
  const entry = core.store.get(storageKey(type, namespace, filter.name!));
  const served = entry === undefined ? undefined : core.shapes.served(type, entry.value);
  const items = served !== undefined && filter.matches(served) ? [served] : [];
  return { resourceVersion: String(core.store.revision), items };
}

interface FilteredList {
  readonly type: ResourceType;
  readonly prefix: string;
  readonly page: Page;
  readonly filter: ObjectFilter;
}

/** A page of a selector's matches is full only when enough objects matched, however many were looked at. */
function listFiltered(core: Core, options: CallOptions, { type, prefix, page, filter }: FilteredList): ObjectList {
  const result = expectKept(core, { type, options }, core.store.list(storeRequest(prefix, { ...page, limit: 0 })));
  const matching = result.entries.filter((entry) => filter.matches(core.shapes.served(type, entry.value)));
  const entries = page.limit > 0 ? matching.slice(0, page.limit) : matching;
  return pageResult(core, { type, prefix, result, entries, remaining: matching.length - entries.length, filter });
}

function storeRequest(prefix: string, { limit, after, at }: Page) {
  return {
    prefix,
    ...(limit > 0 ? { limit } : {}),
    ...(after === undefined ? {} : { after }),
    ...(at === undefined ? {} : { at }),
  };
}

interface PageResult {
  readonly type: ResourceType;
  readonly prefix: string;
  readonly result: { readonly revision: number };
  readonly entries: readonly Entry<ApiObject>[];
  readonly remaining: number;
  readonly filter: ObjectFilter;
}

function pageResult(core: Core, { type, prefix, result, entries, remaining, filter }: PageResult): ObjectList {
  const last = entries.at(-1);
  const more = remaining > 0 && last !== undefined;
  return {
    resourceVersion: String(result.revision),
    ...(more ? { continue: printContinue({ revision: result.revision, start: last.key.slice(prefix.length) }) } : {}),
    ...(more && filter.all ? { remainingItemCount: remaining } : {}),
    items: entries.map((entry) => core.shapes.served(type, entry.value)),
  };
}

function pageOf(core: Core, { type, namespace }: Target, options: CallOptions): Page {
  const limit = options.limit ?? 0;
  expectListOptions(options);
  if (options.continue !== undefined && options.continue !== "") {
    const token = parseContinue(options.continue);
    if (options.resourceVersion && options.resourceVersion !== "0")
      throw StatusError.badRequest("specifying resource version is not allowed when using continue");
    return { limit, after: `${listPrefix(type, namespace)}${token.start}`, at: tokenRevision(core, type, token) };
  }
  const revision = parseRevision(options.resourceVersion);
  if (revision !== undefined && revision > core.store.revision)
    throw futureRevision(type, { revision, current: core.store.revision });
  const exact = options.resourceVersionMatch === "Exact" || (limit > 0 && options.resourceVersionMatch === undefined);
  return { limit, after: undefined, at: exact && revision !== undefined && revision > 0 ? revision : undefined };
}

/** A token with revision -1 goes on in the newest state: what a client asks for after its snapshot expired. */
function tokenRevision(core: Core, type: ResourceType, { revision }: ContinueToken): number | undefined {
  if (revision < 0) return undefined;
  if (revision > core.store.revision) throw futureRevision(type, { revision, current: core.store.revision });
  return revision;
}

interface ListCall {
  readonly type: ResourceType;
  readonly options: CallOptions;
}

function expectKept(core: Core, { type, options }: ListCall, result: ListResult<ApiObject>) {
  if (result.ok) return result;
  if (result.why === "future") throw futureRevision(type, { revision: result.revision, current: core.store.revision });
  const message =
    options.continue === undefined
      ? "The resourceVersion for the provided list is too old."
      : "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
  throw new ExpiredList(message, options.continue);
}

/** 410 with a fresh token, so that a client may go on where it was in the newest state. */
class ExpiredList extends StatusError {
  readonly #token: string | undefined;

  constructor(message: string, token: string | undefined) {
    super(410, "Expired", message);
    this.#token = token;
  }

  override toStatus() {
    if (this.#token === undefined) return super.toStatus();
    const { start } = parseContinue(this.#token);
    return { ...super.toStatus(), metadata: { continue: printContinue({ revision: -1, start }) } };
  }
}
