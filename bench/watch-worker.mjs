// The watchers' side of the fan-out benchmark: many HTTP/2 streams over a few connections, in a thread of their own.
import { connect } from "node:http2";
import { parentPort, workerData } from "node:worker_threads";

const { url, ca, cert, key, watchers, path } = workerData;
const perConnection = 250;
let open = 0;
let seen = 0;

for (let first = 0; first < watchers; first += perConnection) {
  const session = connect(url, { ca, cert, key });
  for (let i = first; i < Math.min(first + perConnection, watchers); i++) {
    const stream = session.request({ ":path": path, accept: "application/json" });
    stream.on("response", () => {
      if (++open === watchers) parentPort.postMessage("open");
    });
    stream.on("data", (chunk) => {
      if (chunk.includes(0x0a) && ++seen === watchers) parentPort.postMessage("seen");
    });
  }
}
