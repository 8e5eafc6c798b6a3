import type { ApiAnswer, ApiCall, ApiTransport, WatchEvent, WatchSource } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";
import { deepFreeze } from "./deep-freeze.ts";

/** A call of the controllers to one of the clusters. */
export interface RoadCall {
  readonly cluster: string;
  readonly call: ApiCall;
  readonly isWrite: boolean;
}

/** What befalls a call. */
export type Mishap =
  /** It never arrives. */
  | { readonly kind: "refused"; readonly error: Error }
  /** It is carried out, but the caller hears of an error. */
  | { readonly kind: "answer lost"; readonly error: Error }
  /** The controllers die before it is sent, or as soon as it is carried out. */
  | { readonly kind: "crash before" }
  | { readonly kind: "crash after" };

/** Decides what befalls each call; undefined: nothing. */
export type Weather = (call: RoadCall) => Mishap | undefined;

/** A write of the controllers that was carried out. */
export interface Written {
  readonly cluster: string;
  readonly verb: ApiCall["verb"];
  /** With its subresource: `works/status`. */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

export interface RoadNeeds {
  readonly cluster: string;
  readonly server: ApiTransport;
  readonly weather: Weather;
  readonly crash: () => void;
  readonly written: (write: Written) => void;
  /** An event of a watch arrives. */
  readonly heard: (event: { readonly cluster: string; readonly resource: string }) => void;
  /** Whether who changes what a cache holds is to be caught (S11): that takes its time. */
  readonly freezes: boolean;
}

const writing: ReadonlySet<string> = new Set(["create", "update", "patch", "delete", "deletecollection"]);

/** The way of one run of the controllers to one cluster: calls meet mishaps on it, streams break, and it ends with the run. */
export class RoughRoad implements ApiTransport {
  readonly #needs: RoadNeeds;
  readonly #streams = new Set<() => void>();
  #closed = false;

  constructor(needs: RoadNeeds) {
    this.#needs = needs;
  }

  async call(call: ApiCall): Promise<ApiAnswer> {
    const { cluster, server, weather, crash } = this.#needs;
    if (this.#closed) throw new Error("the process is dead");
    const isWrite = writing.has(call.verb);
    const mishap = weather({ cluster, call, isWrite });
    if (mishap?.kind === "refused") throw mishap.error;
    if (mishap?.kind === "crash before") {
      crash();
      throw new Error("the process is dead");
    }
    const answer = await server.call(call);
    if (isWrite) this.#record(call);
    if (mishap?.kind === "crash after" && !this.#closed) crash();
    if (this.#closed) throw new Error("the process is dead");
    if (mishap?.kind === "answer lost") throw mishap.error;
    return answer.kind === "watch" ? { ...answer, watch: this.#breakable(call.path.resource, answer.watch) } : answer;
  }

  /** Ends every stream; its reader begins again where it was. */
  cut(): void {
    for (const end of [...this.#streams]) end();
  }

  /** Nothing goes either way any more. */
  close(): void {
    this.#closed = true;
    this.#streams.clear();
  }

  #record({ verb, path, body }: ApiCall): void {
    const { name = (body as { metadata?: { name?: string } } | undefined)?.metadata?.name } = path; // an object's
    this.#needs.written({
      cluster: this.#needs.cluster,
      verb,
      resource: path.subresource === undefined ? path.resource : `${path.resource}/${path.subresource}`,
      namespace: path.namespace,
      name,
    });
  }

  #breakable(resource: string, source: WatchSource): WatchSource {
    const { cluster, freezes, heard } = this.#needs;
    const hear = (event: WatchEvent) => {
      if (event.type !== "BOOKMARK") heard({ cluster, resource });
      return freezes ? frozen(event) : event;
    };
    return {
      start: (listener) => {
        let stop = () => {};
        const end = () => {
          this.#streams.delete(end);
          stop();
          listener.end();
        };
        this.#streams.add(end);
        stop = source.start({
          event: (event) => this.#closed || listener.event(hear(event)),
          end,
        });
        return () => {
          this.#streams.delete(end);
          stop();
        };
      },
    };
  }
}

/** S11: what caches hold is changed by nobody; who tries throws. */
function frozen(event: WatchEvent): WatchEvent {
  if ("object" in event) deepFreeze(event.object);
  return event;
}

/** A server's refusal, by its code. */
export function refusal(code: 409 | 410 | 429 | 500 | 503): StatusError {
  const reasons = {
    409: "Conflict",
    410: "Expired",
    429: "TooManyRequests",
    500: "InternalError",
    503: "ServiceUnavailable",
  } as const;
  return new StatusError(code, reasons[code], `the road is rough: ${reasons[code]}`);
}
