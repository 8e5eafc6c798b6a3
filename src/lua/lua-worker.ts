import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { LuaError } from "./lua-error.ts";
import { LuaMachine } from "./lua-machine.ts";
import { type LuaReply, type LuaRequest, type LuaWorkerOptions, luaReady } from "./lua-protocol.ts";
import { webAssembly } from "./web-assembly.ts";

if (parentPort === null) throw new Error("cannot start the worker for Lua: it is not a program of its own");
const port = parentPort;
// The host starts this file with exactly these options.
const { maxMemoryBytes } = workerData as LuaWorkerOptions;
const compiled = createRequire(import.meta.url).resolve("lua-wasm-bindings/dist/glue/glue-lua-5.1.5.wasm");
const module = new webAssembly.Module(readFileSync(compiled));
const machines = { now: new LuaMachine({ module, maxMemoryBytes }) };

port.on("message", (request: LuaRequest) => port.postMessage(reply(request)));
port.postMessage(luaReady);

function reply(request: LuaRequest): LuaReply {
  try {
    if (request.do === "run") return { ok: true, results: machines.now.run(request) };
    machines.now.parse(request.script);
    return { ok: true, results: "[]" };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof LuaError) return { ok: false, error: message, broken: false };
    machines.now = new LuaMachine({ module, maxMemoryBytes });
    return { ok: false, error: message, broken: true };
  }
}
