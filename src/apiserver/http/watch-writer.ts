import type { HttpResponse } from "./exchange.ts";
import { abandon, isBehind } from "./unread-answers.ts";

/** A client that lets this much pile up, or does not read for this long while something waits, is too slow. */
const maxBacklogBytes = 1024 * 1024;
const maxLagMs = 5_000;
/** How long the state at the beginning may take, however large it is. */
const maxInitialMs = 60_000;

/**
 * Writes the lines of one watch and sees whether the client keeps up. Of one that does not it takes leave with a last line, for which
 * the client has as long again; then it resumes from its last revision, or starts over.
 */
export class WatchWriter {
  readonly #response: HttpResponse;
  readonly #tooSlow: () => string;
  #isInitial = true;
  #sinceInitial = 0;
  #patience: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(response: HttpResponse, tooSlow: () => string) {
    this.#response = response;
    this.#tooSlow = tooSlow;
    response.on("drain", () => this.#caughtUp());
    response.once("close", () => this.#caughtUp());
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  write(line: string): void {
    if (this.#isOver) return;
    const response = this.#response;
    (response.write as (chunk: string) => boolean).call(response, line); // the same in both protocols
    if (this.#isInitial) return;
    this.#sinceInitial += line.length;
    // what is left of the beginning waits too, and is nobody's fault
    if (Math.min(response.writableLength, this.#sinceInitial) > maxBacklogBytes) this.#takeLeave();
    else this.#watchLag();
  }

  /** The state at the beginning has been written, of whatever size: from now on the client has to keep up. */
  initialWritten(): void {
    this.#isInitial = false;
    if (isBehind(this.#response)) this.#startPatience(maxInitialMs);
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#patience);
    this.#response.end();
  }

  #watchLag(): void {
    if (this.#patience === undefined && isBehind(this.#response)) this.#startPatience(maxLagMs);
  }

  #startPatience(ms: number): void {
    this.#patience = setTimeout(() => this.#takeLeave(), ms).unref();
  }

  #caughtUp(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }

  #takeLeave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#patience);
    const response = this.#response;
    const timer = setTimeout(() => abandon(response), maxLagMs).unref();
    response.once("close", () => clearTimeout(timer));
    (response.end as (chunk: string) => unknown).call(response, this.#tooSlow()); // the same in both protocols
  }
}
