import { parentPort, workerData } from "node:worker_threads";
import { SqliteKeeper } from "./sqlite-keeper.ts";
import type { SqliteWorkerOptions } from "./sqlite-protocol.ts";
import { SqliteService } from "./sqlite-service.ts";

if (parentPort === null) throw new Error("cannot start the store's worker: it is not a program of its own");
// The store starts this file with exactly these options.
const options = workerData as SqliteWorkerOptions;
new SqliteService(parentPort).start(() => new SqliteKeeper(options));
