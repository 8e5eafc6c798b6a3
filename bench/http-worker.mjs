// The client's side of the HTTPS benchmark, in a thread of its own so that it does not share the server's event loop.
// As load generators do, it writes requests to bare connections and reads no more of the answers than it must: what is measured is the server.
import { connect } from "node:tls";
import { parentPort, workerData } from "node:worker_threads";

const { url, ca, cert, key, clients, seconds, body, path } = workerData;
const { hostname, port, host } = new URL(url);
const latencies = [];

const open = () =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ca, cert, key }, () => resolve(socket));
    socket.once("error", reject);
  });

const requestOf = (text) =>
  `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

function isWhole(text) {
  const headersEnd = text.indexOf("\r\n\r\n");
  if (headersEnd < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, headersEnd))?.[1];
  if (length === undefined) throw new Error(`no content-length in ${text.slice(0, headersEnd)}`);
  return text.length >= headersEnd + 4 + Number(length);
}

const post = (socket, text) =>
  new Promise((resolve, reject) => {
    let answer = "";
    const take = (chunk) => {
      answer += chunk.latin1Slice();
      if (!isWhole(answer)) return;
      socket.off("data", take);
      if (answer.startsWith("HTTP/1.1 201 ")) resolve();
      else reject(new Error(answer.slice(0, 500)));
    };
    socket.on("data", take);
    socket.write(requestOf(text));
  });

const sockets = await Promise.all(Array.from({ length: clients }, open));
const started = performance.now();
const client = async (socket, id) => {
  for (let count = 0; performance.now() - started < seconds * 1_000; count++) {
    const before = performance.now();
    await post(socket, body.replaceAll("NAME", `web-${clients}-${id}-${count}`));
    latencies.push(performance.now() - before);
  }
};
await Promise.all(sockets.map(client));
parentPort.postMessage({ latencies, elapsedMs: performance.now() - started });
for (const socket of sockets) socket.destroy();
