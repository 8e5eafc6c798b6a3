import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, request as forward } from "node:https";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { createPki } from "#app/certificates.ts";
import type { RemoteMember } from "./remote-member.ts";

/** A member that does as it is told and lies about how things are. */
export interface LyingMember extends AsyncDisposable {
  readonly url: string;
  readonly ca: string;
  /** How many objects have been handed out with a false status. */
  lies(): number;
}

/** What is said in the place of the status of an object of this name, as JSON text; undefined: the truth. */
export type Lie = (name: string) => string | undefined;

/** Puts itself before a member: every Deployment that passes gets the status of the lie. */
export async function startLyingMember(member: RemoteMember, lie: Lie): Promise<LyingMember> {
  const { ca, server: identity } = await createPki({ cluster: "liar", nowMs: Date.now() });
  let lies = 0;
  const falsify = (text: string) =>
    falsified(text, (name) => {
      const told = lie(name);
      if (told !== undefined) lies++;
      return told;
    });
  const server = createServer({ cert: identity.certificate, key: identity.privateKey }, (request, response) => {
    pass({ request, response, member, falsify });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    ca: ca.certificate,
    lies: () => lies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Passing {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly member: RemoteMember;
  readonly falsify: (text: string) => string;
}

function pass({ request, response, member: { cluster }, falsify }: Passing): void {
  const { "accept-encoding": _, host: __, ...headers } = request.headers;
  const path = request.url ?? "/";
  const options = { method: request.method, headers, ca: cluster.pki.ca.certificate };
  const outgoing = forward(`${cluster.url}${path}`, options, (answer) => {
    const { "content-length": ___, "transfer-encoding": ____, ...kept } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, kept);
    const lines = createInterface({ input: answer, crlfDelay: Number.POSITIVE_INFINITY });
    const isAboutThem = /\/deployments(\/|\?|$)/.test(path);
    lines.on("line", (line) => void response.write(`${isAboutThem ? falsify(line) : line}\n`));
    lines.on("close", () => response.end());
    for (const stream of [answer, lines]) stream.on("error", () => response.destroy());
  });
  outgoing.on("error", () => response.destroy());
  response.on("close", () => outgoing.destroy());
  request.pipe(outgoing);
}

/** Works on text: what is put in may be no JSON that can be read. Objects of one line are few, and of one shape. */
function falsified(line: string, lie: Lie): string {
  const parsed = JSON.parse(line) as Answer; // of a server of ours
  const objects = parsed.items ?? [parsed.object ?? parsed];
  const marks = new Map<string, string>();
  for (const object of objects) {
    const told = object.metadata?.name === undefined ? undefined : lie(object.metadata.name);
    if (told === undefined) continue;
    const mark = `the lie about ${object.metadata?.name}`;
    marks.set(mark, told);
    object.status = mark;
  }
  return [...marks].reduce(
    (text, [mark, told]) => text.replace(JSON.stringify(mark), () => told),
    JSON.stringify(parsed),
  );
}

interface Answer {
  readonly items?: readonly Answer[];
  readonly object?: Answer;
  readonly metadata?: { readonly name?: string };
  status?: unknown;
}
