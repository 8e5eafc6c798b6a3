import { cpus, totalmem } from "node:os";

/** What figures were taken on. */
export function describeMachine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus()[0]?.model ?? "unknown"}, ${cpus().length} cores, ${memory} GiB, Node ${process.version}`;
}
