import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const host = "127.0.0.1";

/** The port that a cluster had the last time, if any port will do and that one is free: its address stays, and nobody has to be told. */
export async function portLike(home: string, wanted: number): Promise<number> {
  if (wanted !== 0) return wanted;
  const last = readPort(home);
  return last !== undefined && (await isFree(last)) ? last : 0;
}

/** Keeps the port for the next start. */
export function rememberPort(home: string, port: number): void {
  if (readPort(home) !== port) writeFileSync(fileIn(home), `${port}\n`, { mode: 0o600 });
}

function readPort(home: string): number | undefined {
  try {
    const port = Number(readFileSync(fileIn(home), "utf8"));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch {
    return undefined; // the first start
  }
}

function fileIn(home: string): string {
  return join(home, "port");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
