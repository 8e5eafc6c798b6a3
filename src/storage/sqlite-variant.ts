import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { StoreVariant } from "./contract.ts";
import type { Sample } from "./contract-sample.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
import type { Store } from "./store.ts";

/** Stores in directories of their own below the system's temporary one, removed at the end of the test file. */
export function sqliteVariant(): StoreVariant & Required<Pick<StoreVariant, "reopen">> {
  const newDirectory = temporaryDirectories();
  const directories = new Map<Store<Sample>, SqliteStoreOptions<Sample>>();
  const openIn = async (options: SqliteStoreOptions<Sample>) => {
    const store = await openSqliteStore(options);
    directories.set(store, options);
    return store;
  };
  return {
    open: async (options = {}) => openIn({ ...options, ...testOptions(newDirectory()) }),
    reopen: async (store) => {
      const options = directories.get(store);
      if (options === undefined) throw new Error("cannot reopen a store that was not opened here");
      await store[Symbol.asyncDispose]();
      return openIn(options);
    },
  };
}

/** Makes directories, all of which go with the test file; to be called at its top level. */
export function temporaryDirectories(): () => string {
  const parent = mkdtempSync(join(tmpdir(), "flotilla-store-"));
  afterAll(() => rmSync(parent, { recursive: true, force: true }));
  return () => mkdtempSync(join(parent, "d"));
}

/** A small reserve: tests open many stores. */
export function testOptions(directory: string) {
  return { directory, reserveBytes: 64 << 10, codec: jsonCodec };
}

const jsonCodec = {
  encode: (value: Sample) => JSON.stringify(value),
  decode: (text: string): Sample => JSON.parse(text),
};
