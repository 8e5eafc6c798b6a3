// A hostile client in a process of its own: its work must not be taken for the server's. Talks to the test by messages.
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:tls";

const attacks = { slow: attackSlowly, watches: attackWithWatches };

process.on("message", ({ attack, ...target }) => {
  attacks[attack](target).then(
    (result) => process.send(result),
    (error) => process.send({ error: String(error) }),
  );
});

/** Keeps connections open that never finish their headers, and others that never read what they asked for. */
async function attackSlowly({ url, pki, slowHeaders, slowReaders }) {
  const credentials = { cert: pki.admin.certificate, key: pki.admin.privateKey };
  let session;
  let open = 0;
  const openOne = (head, own) =>
    new Promise((resolve) => {
      const socket = connect({
        port: Number(new URL(url).port),
        host: "127.0.0.1",
        ca: pki.ca.certificate,
        ALPNProtocols: ["http/1.1"],
        ...own,
        ...(own === undefined && session !== undefined ? { session } : {}),
      });
      socket.once("secureConnect", () => {
        open++;
        socket.pause();
        socket.write(head);
        socket.once("close", () => {
          open--;
          void openOne(head, own); // cut off, it comes again
        });
        resolve();
      });
      if (own === undefined) socket.once("session", (ticket) => (session = ticket));
      socket.on("error", resolve);
    });
  const openMany = async (count, head, own) => {
    let left = count;
    const some = async () => {
      while (left-- > 0) await openOne(head, own);
    };
    await Promise.all(Array.from({ length: 32 }, some));
  };
  await openMany(slowReaders, "GET /openapi/v3/api/v1 HTTP/1.1\r\nHost: x\r\n\r\n", credentials);
  await openMany(slowHeaders, "GET /api HTTP/1.1\r\nHost: x\r\nX-Slow: ");
  return { open };
}

/** Opens watches as one user over HTTP/2, and counts how they are answered. */
async function attackWithWatches({ url, pki, token, path, connections, perConnection }) {
  const counts = {};
  const openOne = (session) =>
    new Promise((resolve) => {
      const stream = session.request({ ":path": path, authorization: `Bearer ${token}` });
      stream.on("response", (headers) => {
        const answer = `${headers[":status"]} ${headers["retry-after"] ?? ""}`.trim();
        counts[answer] = (counts[answer] ?? 0) + 1;
        resolve();
      });
      stream.on("error", resolve);
      stream.resume();
    });
  const sessions = Array.from({ length: connections }, () => connectHttp2(url, { ca: pki.ca.certificate }));
  await Promise.all(sessions.flatMap((session) => Array.from({ length: perConnection }, () => openOne(session))));
  return { counts };
}
