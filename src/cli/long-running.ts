import type { LogLevel } from "#app/system.ts";
import { MisuseError } from "./command.ts";

/** Resolves at the first request to stop; a second one ends the process at once. It keeps no process alive that could not start. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
      resolve();
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
  });
}

/** A port from 0 to 65535. */
export function readPort(text: string): number {
  const port = Number(text);
  if (/^[0-9]{1,5}$/.test(text) && port <= 65_535) return port;
  throw new MisuseError(`cannot use port ${JSON.stringify(text)}`, "a port is a number from 0 to 65535");
}

export function readLevel(text: string): LogLevel {
  if (text === "error" || text === "info" || text === "debug") return text;
  throw new MisuseError(`cannot use log level ${JSON.stringify(text)}`, "the levels are error, info and debug");
}

/** `host:port` or `:port` for all addresses of the machine; `0` means nowhere, as Karmada's components read it. */
export function readBindAddress(text: string): { readonly host: string; readonly port: number } | undefined {
  if (text === "0") return undefined;
  const [, host = "", port = ""] = /^(.*):([0-9]*)$/.exec(text) ?? [];
  if (port === "")
    throw new MisuseError(`cannot listen on ${JSON.stringify(text)}`, "write HOST:PORT, :PORT, or 0 for nowhere");
  return { host: host === "" ? "::" : host.replace(/^\[|\]$/g, ""), port: readPort(port) };
}
