import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { HttpResponse } from "./exchange.ts";
import { WatchWriter } from "./watch-writer.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

describe("a watch", () => {
  test("of a client that reads goes on", async () => {
    const { writer, received } = watch({ reads: true });
    for (let i = 0; i < 100; i++) {
      writer.write("x".repeat(50_000));
      await settled();
    }
    vi.advanceTimersByTime(60_000);
    expect([writer.isOver, received().length]).toEqual([false, 5_000_000]);
  });

  test("of which more than 1 MiB waits ends with a last line", async () => {
    const { writer, received, read } = watch({ reads: false });
    for (let i = 0; i < 30; i++) writer.write("x".repeat(50_000));
    expect(writer.isOver).toBe(true);
    read();
    await settled();
    expect(received().endsWith("too slow")).toBe(true);
    expect(received().length).toBeLessThan(1_200_000);
  });

  test("of which anything waits for five seconds ends, however little it is", () => {
    const { writer } = watch({ reads: false });
    writer.write("x".repeat(20_000));
    vi.advanceTimersByTime(4_900);
    expect(writer.isOver).toBe(false);
    vi.advanceTimersByTime(200);
    expect(writer.isOver).toBe(true);
  });

  test("is not ended for what was there at the beginning, of whatever size", () => {
    const { writer } = watch({ reads: false, initial: "x".repeat(20_000_000) });
    writer.write("one event");
    vi.advanceTimersByTime(30_000);
    expect(writer.isOver).toBe(false);
    vi.advanceTimersByTime(31_000);
    expect(writer.isOver, "but a minute is enough").toBe(true);
  });

  test("whose client does not even read the last line is cut off", () => {
    const { writer, response } = watch({ reads: false });
    writer.write("x".repeat(2_000_000));
    expect([writer.isOver, response.destroyed]).toEqual([true, false]);
    vi.advanceTimersByTime(5_100);
    expect(response.destroyed).toBe(true);
  });
});

/** A response whose client reads, or does so when told to. */
function watch({ reads, initial }: { readonly reads: boolean; readonly initial?: string }) {
  let text = "";
  let isReading = reads;
  const blocked: (() => void)[] = [];
  const response = new Writable({
    highWaterMark: 16_384,
    write(chunk: Buffer, _, done) {
      text += chunk.toString();
      if (isReading) done();
      else blocked.push(done);
    },
  });
  const writer = new WatchWriter(response as unknown as HttpResponse, () => "too slow"); // as much of a response as a watch uses
  if (initial !== undefined) writer.write(initial);
  writer.initialWritten();
  const read = () => {
    isReading = true;
    for (const done of blocked.splice(0)) done();
  };
  return { writer, response, received: () => text, read };
}

/** Streams go on in ticks. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
