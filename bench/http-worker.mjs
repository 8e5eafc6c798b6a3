// The client's side of the HTTPS benchmark, in a thread of its own so that it does not share the server's event loop.
import { Agent, request } from "node:https";
import { parentPort, workerData } from "node:worker_threads";

const { url, ca, cert, key, clients, seconds, body, path } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: clients, ca, cert, key });
const latencies = [];
const started = performance.now();

const post = (text) =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      `${url}${path}`,
      {
        method: "POST",
        agent,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(text) },
      },
      (response) => {
        response.resume();
        response.on("end", () =>
          response.statusCode === 201 ? resolve() : reject(new Error(`status ${response.statusCode}`)),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(text);
  });

const client = async (id) => {
  for (let count = 0; performance.now() - started < seconds * 1_000; count++) {
    const before = performance.now();
    await post(body.replaceAll("NAME", `web-${clients}-${id}-${count}`));
    latencies.push(performance.now() - before);
  }
};

await Promise.all(Array.from({ length: clients }, (_, id) => client(id)));
parentPort.postMessage({ latencies, elapsedMs: performance.now() - started });
agent.destroy();
