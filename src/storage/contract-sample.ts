import type { Build, ListRequest, Store, StoreEvent, WatchRequest } from "./store.ts";

/** The value that the suites store: it carries its revision, as Kubernetes objects do. */
export interface Sample {
  readonly revision: number;
  readonly text: string;
}

/** Opens an empty store that the suite closes. */
export type OpenStore = (options?: { readonly historyLimit?: number }) => Promise<Store<Sample>>;

/** The keys that the suites write. */
export const web = "apps/deployments/shop/web";
export const api = "apps/deployments/shop/api";
export const other = "apps/deployments/zoo/web";
export const config = "/configmaps/shop/settings";
export const all = "apps/deployments/";

/** Builds a value that says at which revision it was written. */
export function sample(text: string): Build<Sample> {
  return (revision) => ({ revision, text });
}

/** Watches into an array. */
export function watchInto(store: Store<Sample>, request: Pick<WatchRequest<Sample>, "prefix" | "after">) {
  const events: StoreEvent<Sample>[] = [];
  return { events, result: store.watch({ ...request, deliver: (event) => events.push(event) }) };
}

/** The keys of a list, or why there is none. */
export function keysOf(store: Store<Sample>, request: ListRequest): string[] {
  const list = store.list(request);
  return list.ok ? list.entries.map((entry) => entry.key) : [list.why];
}

/** Follows pages to the end. */
export function pagesOf(store: Store<Sample>, request: ListRequest) {
  const pages: string[][] = [];
  const remaining: number[] = [];
  for (let after: string | undefined; ; after = pages.at(-1)?.at(-1)) {
    const list = store.list(after === undefined ? request : { ...request, after });
    if (!list.ok) throw new Error(`cannot list: ${list.why}`);
    pages.push(list.entries.map((entry) => entry.key));
    remaining.push(list.remaining);
    if (list.remaining === 0) return { pages, remaining };
  }
}
