import { openSqliteStore } from "#storage/sqlite-store.ts";
import { SqliteThreads } from "#storage/sqlite-threads.ts";
import { sharingCodec } from "./sharing-codec.ts";

/** Opens a store, writes into it as long as that goes well, and prints how it ended. */
const [directory, worker, count, size] = process.argv.slice(2);
if (directory === undefined || worker === undefined) throw new Error("arguments are missing");
const codec = sharingCodec();
const options = {
  directory,
  codec,
  threads: new SqliteThreads({ limit: 1, worker: new URL(worker) }),
  reserveBytes: 64 << 10,
  checkpointBytes: 256 << 10,
};

try {
  const store = await openSqliteStore(options);
  let acknowledged = 0;
  try {
    for (; acknowledged < Number(count); acknowledged++) {
      const result = await store.create(`apps/deployments/shop/d${process.pid}-${acknowledged}`, () =>
        "x".repeat(Number(size)),
      );
      if (!result.ok) throw new Error(result.why);
    }
    console.log(JSON.stringify({ is: "open", acknowledged }));
  } catch (error) {
    const again = await store
      .create("apps/deployments/shop/again", () => "x")
      .catch((failure: unknown) => String(failure));
    const readable = store.count("apps/deployments");
    console.log(JSON.stringify({ is: "failed", acknowledged, readable, error: String(error), again }));
    await store[Symbol.asyncDispose]();
  }
} catch (error) {
  console.log(JSON.stringify({ is: "refused", error: String(error) }));
}
