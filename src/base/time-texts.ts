import { type Clock, formatTime } from "./clock.ts";

/** The present as a time stamp; whatever is written within one second has the same text. */
export class TimeTexts {
  readonly #clock: Pick<Clock, "nowMs">;
  #second = Number.NaN;
  #text = "";

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  now(): string {
    const ms = this.#clock.nowMs();
    const second = Math.floor(ms / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = formatTime(ms);
    }
    return this.#text;
  }
}
