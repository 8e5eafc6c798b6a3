import type { ApiAnswer, ApiCall, ApiTransport, WatchListener, WatchSource } from "#api/meta/api-call.ts";
import { StatusError } from "#api/meta/status-error.ts";

interface Stream {
  readonly listener: WatchListener;
  stop: () => void;
}

/** A way to an API server on which streams break and watches fail, when told to. */
export class FlakyTransport implements ApiTransport {
  readonly #server: ApiTransport;
  readonly #streams = new Set<Stream>();
  /** The options of every watch that was asked for. */
  readonly watches: ApiCall["options"][] = [];
  #failing = 0;
  /** What streams brought while they were held up. */
  #held: (() => void)[] | undefined;

  constructor(server: ApiTransport) {
    this.#server = server;
  }

  /** Streams that are open now. */
  get open(): number {
    return this.#streams.size;
  }

  async call(call: ApiCall): Promise<ApiAnswer> {
    if (call.verb !== "watch") return this.#server.call(call);
    this.watches.push(call.options);
    if (this.#failing > 0) {
      this.#failing--;
      throw StatusError.internal("the network is down");
    }
    const answer = await this.#server.call(call);
    return answer.kind === "watch" ? { ...answer, watch: this.#breakable(answer.watch) } : answer;
  }

  /** Lets the next watches fail. */
  failWatches(count: number): void {
    this.#failing = count;
  }

  /** From now on streams bring nothing; answers to calls still come. */
  hold(): void {
    this.#held ??= [];
  }

  /** Streams bring what they held up, and go on. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const bring of held) bring();
  }

  /** Ends every stream, as a server does that restarts. */
  cut(): void {
    this.release();
    for (const stream of [...this.#streams]) {
      this.#streams.delete(stream);
      stream.stop();
      stream.listener.end();
    }
  }

  #breakable(source: WatchSource): WatchSource {
    return {
      start: (listener) => {
        const stream: Stream = { listener, stop: () => {} };
        this.#streams.add(stream);
        stream.stop = source.start({
          event: (event) => {
            const bring = () => this.#streams.has(stream) && listener.event(event);
            if (this.#held === undefined) bring();
            else this.#held.push(bring);
          },
          end: () => {
            this.#streams.delete(stream);
            listener.end();
          },
        });
        return () => {
          this.#streams.delete(stream);
          stream.stop();
        };
      },
    };
  }
}
