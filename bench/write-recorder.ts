import { Worker } from "node:worker_threads";
import type { SqliteReply, SqliteRequest } from "#storage/sqlite-protocol.ts";

/** What was done while somebody looked. */
export interface Recorded {
  /** The texts of the rows of every group that was made durable by one fsync. */
  readonly groups: readonly (readonly string[])[];
  /** How often something was printed as JSON, and how long those texts were together. */
  readonly printed: { readonly times: number; readonly length: number };
  /** The texts that were parsed. */
  readonly parsed: readonly string[];
}

/** Looks at what goes to the threads of the stores, and at all JSON that this thread prints and parses, until the work is done. */
export async function recordWrites(work: () => Promise<void>): Promise<Recorded> {
  const groups: (readonly string[])[] = [];
  const parsed: string[] = [];
  const printed = { times: 0, length: 0 };
  const waiting = new WeakMap<Worker, (readonly string[])[]>();
  const { postMessage, emit } = Worker.prototype;
  const { parse, stringify } = JSON;
  Worker.prototype.postMessage = function (this: Worker, message: SqliteRequest) {
    if (message?.do === "commit") {
      const queue = waiting.get(this) ?? [];
      waiting.set(this, queue);
      queue.push(message.rows.map((row) => row[5]));
    }
    return postMessage.call(this, message);
  };
  Worker.prototype.emit = function (this: Worker, event: string | symbol, ...args: unknown[]) {
    const reply = args[0] as SqliteReply | undefined; // a store's thread sends nothing but replies; others send other things
    if (event === "message" && reply?.is === "committed")
      groups.push((waiting.get(this) ?? []).splice(0, reply.requests).flat());
    return emit.call(this, event, ...args);
  };
  JSON.parse = (text: string, ...rest) => {
    parsed.push(text);
    return parse(text, ...rest);
  };
  JSON.stringify = (value: unknown, ...rest: unknown[]) => {
    const text = stringify(value, ...(rest as [])); // as it was called
    printed.times++;
    printed.length += text?.length ?? 0;
    return text;
  };
  try {
    await work();
  } finally {
    Worker.prototype.postMessage = postMessage;
    Worker.prototype.emit = emit;
    JSON.parse = parse;
    JSON.stringify = stringify;
  }
  return { groups, printed, parsed };
}
