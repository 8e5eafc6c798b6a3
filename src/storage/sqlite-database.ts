import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { emptySummary, printSummary } from "./log-summary.ts";
import { failureOf, sqliteErrors } from "./sqlite-failure.ts";
import { databaseFile, type SqliteWorkerOptions } from "./sqlite-protocol.ts";
import { DamagedRecord, StoreFailure } from "./store-failure.ts";
import { findLogDamage } from "./wal-damage.ts";

const asideFile = "store.db.set-aside";
const ownerFile = "owner";
const applicationId = 0x464c4f54; // "FLOT"
const formatVersion = 2;
const textsTable = "CREATE TABLE texts (id INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, text TEXT NOT NULL)";

/** Opens the database of a directory for this process alone, creating both where missing. Throws a StoreFailure. */
export function openDatabase({ directory, fullCheck }: SqliteWorkerOptions): DatabaseSyncInstance {
  const path = join(directory, databaseFile);
  let database: DatabaseSyncInstance | undefined;
  try {
    createFiles(directory, path);
    expectWholeLog(path);
    database = new DatabaseSync(path);
    configure(database);
    adoptFormat(database, path);
    if (fullCheck) readWholeFile(database);
    writeFileSync(join(directory, ownerFile), `${process.pid}\n`, { mode: 0o600 });
    return database;
  } catch (error) {
    closeQuietly(database);
    if (sqliteErrors.busy(error)) throw lockedFailure(directory);
    throw failureOf(error, { doing: `open the store in "${directory}"`, path });
  }
}

/** Closes what could not be opened in full. */
export function closeQuietly(database: DatabaseSyncInstance | undefined): void {
  try {
    database?.close();
  } catch {
    // The error that led here says more.
  }
}

/**
 * Renames the database so that the end of the process cannot checkpoint it, which SQLite does on every close except of a file
 * that has moved. After a failed fsync a repeated one may succeed without having written, and the log would be thrown away.
 */
export function setAside(directory: string): void {
  try {
    renameSync(join(directory, databaseFile), join(directory, asideFile));
  } catch {
    // A directory that cannot be changed any more will not let the log be thrown away either.
  }
}

/** Before SQLite opens it: afterwards the log would be cut where it is damaged. */
function expectWholeLog(path: string): void {
  const log = `${path}-wal`;
  const damage = findLogDamage(log);
  if (damage === undefined) return;
  expectUnlocked(path); // whoever writes to it now is not damaged
  throw new StoreFailure(
    "corrupt",
    `cannot open "${path}": its log is damaged at byte ${damage.offset}, and writes that were acknowledged stand behind; ` +
      `restore the directory from a backup or, to go on without them, keep a copy and cut the log: truncate -s ${damage.offset} "${log}"`,
  );
}

/** Reads alone, and so changes nothing. */
function expectUnlocked(path: string): void {
  let database: DatabaseSyncInstance | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    database.prepare("SELECT 1 FROM sqlite_schema").get();
  } catch (error) {
    if (sqliteErrors.busy(error)) throw error;
  } finally {
    closeQuietly(database);
  }
}

function takeBack(directory: string): void {
  const aside = join(directory, asideFile);
  if (!existsSync(aside) || existsSync(join(directory, databaseFile))) return;
  renameSync(aside, join(directory, databaseFile));
  syncDirectory(directory);
}

/** SQLite would create the file readable by everyone; the write-ahead log takes its mode from the database. */
function createFiles(directory: string, path: string): void {
  if (mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined) syncDirectory(dirname(directory));
  chmodSync(directory, 0o700);
  takeBack(directory);
  try {
    // Never opened when it exists: closing a second handle would release the lock that this process may hold on it.
    closeSync(openSync(path, "wx", 0o600));
    syncDirectory(directory);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    chmodSync(path, 0o600);
  }
}

function syncDirectory(directory: string): void {
  if (process.platform === "win32") return; // directories cannot be opened there
  const handle = openSync(directory, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * The exclusive lock is an operating system's lock on the file: it ends with the process, however that ends, and it spares the
 * shared-memory file. Checkpoints are ours to run, because SQLite's automatic ones swallow the error of a failed fsync.
 */
function configure(database: DatabaseSyncInstance): void {
  database.exec("PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL");
  database.exec("PRAGMA locking_mode = EXCLUSIVE");
  const journal = database.prepare("PRAGMA journal_mode = WAL").get()?.["journal_mode"];
  database.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON");
  database.exec("PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864");
  database.exec("PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF");
  const synchronous = database.prepare("PRAGMA synchronous").get()?.["synchronous"];
  if (journal !== "wal" || synchronous !== 2) {
    throw new Error(`writes would not be durable (journal_mode ${journal}, synchronous ${synchronous})`);
  }
}

/** Creates the tables in an empty file; refuses a file of something else or of a later release. */
function adoptFormat(database: DatabaseSyncInstance, path: string): void {
  const tables = database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.["n"];
  if (tables === 0) {
    database.exec(`
      BEGIN IMMEDIATE;
      CREATE TABLE records (
        revision INTEGER PRIMARY KEY, type INTEGER NOT NULL, create_revision INTEGER NOT NULL,
        previous_revision INTEGER NOT NULL, checksum INTEGER NOT NULL, total INTEGER NOT NULL,
        key TEXT NOT NULL, value TEXT NOT NULL
      );
      CREATE TABLE summary (text TEXT NOT NULL);
      ${textsTable};
      INSERT INTO summary VALUES ('${printSummary(emptySummary)}');
      PRAGMA application_id = ${applicationId};
      PRAGMA user_version = ${formatVersion};
      COMMIT`);
    return;
  }
  const id = database.prepare("PRAGMA application_id").get()?.["application_id"];
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (id !== applicationId)
    throw new StoreFailure("corrupt", `cannot open "${path}": it is the database of another program`);
  if (version < 1) throw new DamagedRecord(`its format is ${version}`);
  if (version === 1) {
    database.exec(`BEGIN IMMEDIATE; ${textsTable}; PRAGMA user_version = ${formatVersion}; COMMIT`);
    return;
  }
  if (version > formatVersion) {
    const found = `its format is ${version}, this release knows ${formatVersion}`;
    throw new StoreFailure("newer", `cannot open "${path}": ${found}; use the release that wrote it, or a later one`);
  }
}

function readWholeFile(database: DatabaseSyncInstance): void {
  const found = database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
  if (found !== "ok") throw new DamagedRecord(String(found));
}

function lockedFailure(directory: string): StoreFailure {
  const owner = readOwner(directory);
  const who = owner === undefined ? "another process" : `process ${owner}`;
  return new StoreFailure("locked", `cannot open the store in "${directory}": ${who} has it open`);
}

/** The file only gives the lock a name: it is left behind by a process that was killed. */
function readOwner(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, ownerFile), "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}
