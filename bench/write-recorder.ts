import { MessagePort } from "node:worker_threads";
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

/** Looks at what goes through the ports to the stores' threads, and at all JSON that this thread prints and parses, until the work is done. */
export async function recordWrites(work: () => Promise<void>): Promise<Recorded> {
  const groups: (readonly string[])[] = [];
  const parsed: string[] = [];
  const printed = { times: 0, length: 0 };
  const followed = new Map<MessagePort, Followed>();
  const { postMessage } = MessagePort.prototype;
  const { parse, stringify } = JSON;
  MessagePort.prototype.postMessage = function (this: MessagePort, message: SqliteRequest, ...rest) {
    if (message?.do === "commit") {
      const port = followed.get(this) ?? follow(this, groups);
      followed.set(this, port);
      port.waiting.push(message.rows.map((row) => row[5]));
    }
    return postMessage.call(this, message, ...rest);
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
    MessagePort.prototype.postMessage = postMessage;
    for (const [port, { hear }] of followed) port.off("message", hear);
    JSON.parse = parse;
    JSON.stringify = stringify;
  }
  return { groups, printed, parsed };
}

interface Followed {
  /** The texts of what was asked for and is not answered yet. */
  readonly waiting: (readonly string[])[];
  readonly hear: (reply: SqliteReply) => void;
}

/** Hears what a store hears of its database. */
function follow(port: MessagePort, groups: (readonly string[])[]): Followed {
  const waiting: (readonly string[])[] = [];
  const hear = (reply: SqliteReply) => {
    if (reply.is === "committed") groups.push(waiting.splice(0, reply.requests).flat());
  };
  port.on("message", hear);
  return { waiting, hear };
}
