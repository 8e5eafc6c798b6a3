import type { ApiAnswer, ApiCall } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { jsonEquals } from "#base/json.ts";
import type { Logger } from "#base/logger.ts";
import { createHttpTransport, type HttpTransport } from "./http-transport.ts";
import type { SendOptions, ServerAccess, WireSettings } from "./https-wire.ts";

export interface RotatingNeeds extends WireSettings {
  /** Where the server is and who we are now. Asked often: the answer may change at any time. */
  readonly readAccess: () => Promise<ServerAccess>;
  readonly log: Logger;
}

/** How old what we know of our credentials may be when a call is made. */
const staleMs = 10_000;

/**
 * A way to a server that follows its credentials: when they are replaced, the next call uses the new ones and streams begin anew. Throws when
 * there are none to begin with.
 */
export async function openRotatingTransport(needs: RotatingNeeds): Promise<HttpTransport> {
  const access = await readNow(needs);
  return new RotatingTransport(needs, access);
}

/** With the token that is valid now. */
type PresentAccess = ServerAccess & { readonly token: string | undefined };

async function readNow({ readAccess }: RotatingNeeds): Promise<PresentAccess> {
  const access = await readAccess();
  return { ...access, token: typeof access.token === "function" ? await access.token() : access.token };
}

class RotatingTransport implements HttpTransport {
  readonly #needs: RotatingNeeds;
  #access: PresentAccess;
  #current: HttpTransport;
  /** Its calls come to their end until there is a newer one. */
  #former: HttpTransport | undefined;
  #readMs: number;
  #reading: Promise<void> | undefined;

  constructor(needs: RotatingNeeds, access: PresentAccess) {
    this.#needs = needs;
    this.#access = access;
    this.#readMs = needs.clock.elapsedMs();
    this.#current = createHttpTransport({ ...needs, ...access });
  }

  call(call: ApiCall): Promise<ApiAnswer> {
    return this.#ask((transport) => transport.call(call));
  }

  document(path: string, options?: SendOptions) {
    return this.#ask((transport) => transport.document(path, options));
  }

  probe(path: string, signal: AbortSignal): Promise<number> {
    return this.#ask((transport) => transport.probe(path, signal));
  }

  retire(): void {
    this.#current.retire();
  }

  close(): void {
    this.#former?.close();
    this.#current.close();
  }

  /** Whoever is not known any more may have been replaced: once more with what is there now. */
  async #ask<T>(go: (transport: HttpTransport) => Promise<T>): Promise<T> {
    if (this.#needs.clock.elapsedMs() - this.#readMs >= staleMs) await this.#refresh();
    const used = this.#current;
    try {
      return await go(used);
    } catch (error: unknown) {
      if (!(error instanceof StatusError && error.code === 401)) throw error;
      if (used === this.#current) await this.#refresh();
      if (used === this.#current) throw error;
      return go(this.#current);
    }
  }

  /** Calls that find out at once that it is time read once. */
  async #refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #read(): Promise<void> {
    const { clock, log } = this.#needs;
    this.#readMs = clock.elapsedMs();
    try {
      const access = await readNow(this.#needs);
      if (jsonEquals(plain(access), plain(this.#access))) return;
      const next = createHttpTransport({ ...this.#needs, ...access });
      this.#former?.close();
      this.#former = this.#current;
      this.#access = access;
      this.#current = next;
      this.#former.retire();
      log.info("the credentials of the API server were replaced");
    } catch (error: unknown) {
      log.error("cannot read the credentials of the API server anew", { error }); // those at hand may still do
    }
  }
}

function plain({ server, proxy, identity, token }: PresentAccess): unknown {
  const way = proxy === undefined ? null : { ...proxy, url: proxy.url.href };
  return { server: server.href, proxy: way, identity, token };
}
