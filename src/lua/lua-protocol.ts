/** What the worker is asked: to run a function of a script, or only to parse the script. Arguments and results are JSON. */
export type LuaRequest =
  | { readonly do: "run"; readonly script: string; readonly entry: string; readonly args: string }
  | { readonly do: "parse"; readonly script: string };

/** What became of it. `broken`: the machine cannot be trusted any more, and has been replaced. */
export type LuaReply =
  | { readonly ok: true; readonly results: string }
  | { readonly ok: false; readonly error: string; readonly broken: boolean };

/** First message of a worker: it can be asked from now on. */
export const luaReady = "ready";

export interface LuaWorkerOptions {
  readonly maxMemoryBytes: number;
}
