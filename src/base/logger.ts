/** A log line is a constant message and fields beside it. */
export interface Logger {
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  child(fields: Readonly<Record<string, unknown>>): Logger;
}

/** For tests and tools that want no log. */
export const silentLogger: Logger = {
  error() {},
  info() {},
  debug() {},
  child: () => silentLogger,
};
