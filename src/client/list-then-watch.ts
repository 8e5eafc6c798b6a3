import type { ObjectList, WatchListener, WatchSource } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { JsonObject } from "#base/json.ts";

export interface ListThenWatchNeeds {
  readonly pages: AsyncGenerator<ObjectList>;
  readonly watch: (resourceVersion: string) => Promise<WatchSource>;
}

/**
 * A watch that tells the present state first, made of a list and a watch. The first page is fetched at once, so that a refusal is
 * the caller's; later ones when the state is told.
 */
export async function listThenWatch({ pages, watch }: ListThenWatchNeeds): Promise<WatchSource> {
  const first = await pages.next();
  return {
    start(listener) {
      let stopped = false;
      let stopWatch: () => void = () => {};
      const tell = async () => {
        const revision = await tellPages(first, { pages, listener, isStopped: () => stopped });
        if (revision === undefined) return;
        const source = await watch(revision);
        stopWatch = source.start(listener);
        if (stopped) stopWatch();
      };
      tell().catch((error: unknown) => {
        if (stopped) return;
        if (error instanceof StatusError && error.code === 410)
          listener.event({ type: "ERROR", status: error.toStatus() as unknown as JsonObject }); // JSON, all of it
        else listener.end(error);
      });
      return () => {
        stopped = true;
        stopWatch();
        void pages.return(undefined);
      };
    },
  };
}

interface Telling {
  readonly pages: AsyncGenerator<ObjectList>;
  readonly listener: WatchListener;
  readonly isStopped: () => boolean;
}

/** The revision of the list, or undefined when it was stopped. */
async function tellPages(
  first: IteratorResult<ObjectList>,
  { pages, listener, isStopped }: Telling,
): Promise<string | undefined> {
  let resourceVersion: string | undefined;
  for (let page = first; !page.done; page = await pages.next()) {
    if (isStopped()) return undefined;
    for (const object of page.value.items) listener.event({ type: "ADDED", object });
    ({ resourceVersion } = page.value);
  }
  if (isStopped() || resourceVersion === undefined) return undefined;
  listener.event({ type: "BOOKMARK", resourceVersion, initialEventsEnd: true });
  return resourceVersion;
}
