import type { ApiAnswer, ApiCall } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { jsonEquals } from "#base/json.ts";
import type { Logger } from "#base/logger.ts";
import { createHttpTransport, type HttpTransport } from "./http-transport.ts";
import type { SendOptions, ServerAccess, WireSettings } from "./https-wire.ts";

export interface RotatingNeeds extends WireSettings {
  /** Where the server is and who we are now. Asked often: the answer may change at any time. */
  readonly readAccess: () => ServerAccess;
  readonly log: Logger;
}

/** How old what we know of our credentials may be when a call is made. */
const staleMs = 10_000;

/** A way to a server that follows its credentials: when they are replaced, the next call uses the new ones and streams begin anew. */
export function createRotatingTransport(needs: RotatingNeeds): HttpTransport {
  return new RotatingTransport(needs);
}

class RotatingTransport implements HttpTransport {
  readonly #needs: RotatingNeeds;
  #access: ServerAccess;
  #current: HttpTransport;
  /** Its calls come to their end until there is a newer one. */
  #former: HttpTransport | undefined;
  #readMs: number;

  constructor(needs: RotatingNeeds) {
    this.#needs = needs;
    this.#access = needs.readAccess();
    this.#readMs = needs.clock.nowMs();
    this.#current = createHttpTransport({ ...needs, ...this.#access });
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
    const { clock } = this.#needs;
    if (Math.abs(clock.nowMs() - this.#readMs) >= staleMs) this.#refresh();
    const used = this.#current;
    try {
      return await go(used);
    } catch (error: unknown) {
      if (!(error instanceof StatusError && error.code === 401)) throw error;
      if (used === this.#current) this.#refresh();
      if (used === this.#current) throw error;
      return go(this.#current);
    }
  }

  #refresh(): void {
    const { readAccess, clock, log } = this.#needs;
    this.#readMs = clock.nowMs();
    try {
      const access = readAccess();
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

function plain({ server, proxy, identity, token }: ServerAccess): unknown {
  return {
    server: server.href,
    proxy: proxy === undefined ? null : { ...proxy, url: proxy.url.href },
    identity,
    token,
  };
}
