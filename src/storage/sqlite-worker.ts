import { parentPort } from "node:worker_threads";
import { SqliteKeeper } from "./sqlite-keeper.ts";
import type { OpenDatabase } from "./sqlite-protocol.ts";
import { SqliteService } from "./sqlite-service.ts";

if (parentPort === null) throw new Error("cannot start the stores' worker: it is not a program of its own");
// Whoever starts this file sends nothing else.
parentPort.on("message", ({ port, options }: OpenDatabase) =>
  new SqliteService(port).start(() => new SqliteKeeper(options)),
);
