import createGlue from "lua-wasm-bindings/dist/glue/glue-lua-5.1.5.js";
import { isJsonObject, member, stringifyJson } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";
import { kubeFunctions } from "./kube-functions.ts";
import { LuaError } from "./lua-error.ts";
import { luaPrelude } from "./lua-prelude.ts";
import { luaSourceOf } from "./lua-source.ts";
import { ExactNumbers } from "./restore-exact.ts";
import { type CompiledModule, webAssembly } from "./web-assembly.ts";

/** The part of the compiled Lua that we use; numbers are addresses, except where they are positions on Lua's stack. */
interface Glue {
  readonly HEAPU8: Uint8Array;
  readonly HEAP32: Int32Array;
  _malloc(bytes: number): number;
  _luaL_newstate(): number;
  _luaopen_base(state: number): void;
  _luaopen_table(state: number): void;
  _luaopen_string(state: number): void;
  _luaopen_math(state: number): void;
  _luaL_loadbuffer(state: number, text: number, bytes: number, name: number): number;
  _lua_pcall(state: number, args: number, results: number, handler: number): number;
  _lua_getfield(state: number, index: number, name: number): void;
  _lua_setfield(state: number, index: number, name: number): void;
  _lua_settop(state: number, index: number): void;
  _lua_tolstring(state: number, index: number, bytes: number): number;
  _lua_close(state: number): void;
}

type Instantiate = (
  imports: { readonly a: Record<string, (...args: number[]) => unknown> },
  receive: (instance: { readonly exports: object }) => void,
) => object;

const globals = -10_002;
/** The import by which the machine asks for more memory. */
const growMemory = "n";
const scratchBytes = 1 << 16;

export interface LuaMachineOptions {
  readonly module: CompiledModule;
  readonly maxMemoryBytes: number;
}

/** Lua in WebAssembly with bounded memory. Every run has a state of its own. Anything thrown but a LuaError means: throw it away. */
export class LuaMachine {
  readonly #glue: Glue;
  readonly #length: number;
  #buffer: { readonly at: number; readonly bytes: number };

  constructor(options: LuaMachineOptions) {
    this.#glue = instantiate(options);
    this.#length = this.#glue._malloc(8);
    this.#buffer = { at: this.#glue._malloc(scratchBytes), bytes: scratchBytes };
  }

  /** Throws where the script does not parse. */
  parse(script: string): void {
    this.#inState((state) => this.#load(state, script));
  }

  /** Runs the script, then one of its functions; the results as JSON. */
  run({ script, entry, args }: { readonly script: string; readonly entry: string; readonly args: string }): string {
    const values = parseJson(args).value as readonly unknown[]; // the host's own list
    return this.#inState((state) => {
      this.#evaluate(state, luaPrelude, 0);
      this.#load(state, script);
      this.#setGlobal(state, "chunk");
      this.#set(state, "args", `{${values.map((value, index) => `[${index + 1}]=${luaSourceOf(value)}`).join(",")}}`);
      this.#set(state, "argc", String(values.length));
      this.#set(state, "entry", luaSourceOf(entry));
      const exact = new ExactNumbers(values);
      const results = JSON.parse(this.#drive(state)) as readonly unknown[]; // encoded as a list of doubles and the like
      return stringifyJson(results.map((result) => exact.restore(result, origin(values, result))));
    });
  }

  /** Answers what the script asks of `kube` until it is done. */
  #drive(state: number): string {
    for (;;) {
      const [what, text] = this.#step(state);
      if (what === "done") return text;
      if (what === "error") throw new LuaError(text);
      const { ok, value } = askKube(what, JSON.parse(text) as readonly unknown[]); // as above
      this.#set(state, "answer", luaSourceOf(value));
      this.#set(state, "answered", String(ok));
    }
  }

  #step(state: number): readonly [string, string] {
    this.#glue._lua_getfield(state, globals, this.#write("step\0"));
    this.#call(state, 2);
    const results = [this.#read(state, -2), this.#read(state, -1)] as const;
    this.#glue._lua_settop(state, -3);
    return results;
  }

  #set(state: number, name: string, source: string): void {
    this.#evaluate(state, `return ${source}`, 1);
    this.#setGlobal(state, name);
  }

  #setGlobal(state: number, name: string): void {
    this.#glue._lua_setfield(state, globals, this.#write(`${name}\0`));
  }

  #evaluate(state: number, source: string, results: number): void {
    this.#load(state, source);
    this.#call(state, results);
  }

  #load(state: number, source: string): void {
    // compiled Lua is not checked by Lua and would be a way out
    if (source.startsWith("\u001b")) throw new LuaError("compiled scripts are not accepted");
    const text = encoder.encode(source);
    const name = "=script\0";
    const at = this.#write(name, text);
    if (this.#glue._luaL_loadbuffer(state, at + name.length, text.length, at) !== 0)
      throw new LuaError(this.#read(state, -1));
  }

  #call(state: number, results: number): void {
    if (this.#glue._lua_pcall(state, 0, results, 0) !== 0) throw new LuaError(this.#read(state, -1));
  }

  #read(state: number, index: number): string {
    const at = this.#glue._lua_tolstring(state, index, this.#length);
    if (at === 0) return "an error that is no text";
    const bytes = this.#glue.HEAP32[this.#length >> 2] ?? 0;
    try {
      return decoder.decode(this.#glue.HEAPU8.subarray(at, at + bytes));
    } catch {
      throw new LuaError("the script returned text that is not UTF-8");
    }
  }

  /** Copies text, and perhaps more, to where Lua can read it: valid until the next call. */
  #write(text: string, more = new Uint8Array()): number {
    const first = encoder.encode(text);
    const bytes = first.length + more.length;
    if (bytes > this.#buffer.bytes) this.#buffer = { at: this.#glue._malloc(bytes * 2), bytes: bytes * 2 };
    if (this.#buffer.at === 0) throw new Error("there is no memory left for the object");
    this.#glue.HEAPU8.set(first, this.#buffer.at);
    this.#glue.HEAPU8.set(more, this.#buffer.at + first.length);
    return this.#buffer.at;
  }

  #inState<T>(use: (state: number) => T): T {
    const state = this.#glue._luaL_newstate();
    if (state === 0) throw new Error("there is no memory left for Lua");
    this.#glue._luaopen_base(state);
    this.#glue._luaopen_table(state);
    this.#glue._luaopen_string(state);
    this.#glue._luaopen_math(state);
    this.#glue._lua_settop(state, 0);
    try {
      const result = use(state);
      this.#glue._lua_close(state);
      return result;
    } catch (error) {
      if (error instanceof LuaError) this.#glue._lua_close(state); // else nothing more can be asked of it
      throw error;
    }
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** What a result may be derived from: the first argument if it is a whole object, else the status of it. */
function origin(values: readonly unknown[], result: unknown): unknown {
  const [first] = values;
  if (!isJsonObject(first) || !isJsonObject(result)) return undefined;
  return member(result, "kind") === undefined ? member(first, "status") : first;
}

function askKube(name: string, args: readonly unknown[]): { readonly ok: boolean; readonly value: unknown } {
  try {
    return { ok: true, value: kubeFunctions[name]?.(args) };
  } catch (error) {
    return { ok: false, value: error instanceof Error ? error.message : String(error) };
  }
}

/** Beyond its limit the machine gets no memory, and Lua says so. Nothing of the system is within its reach. */
function instantiate({ module, maxMemoryBytes }: LuaMachineOptions): Glue {
  const instantiateWasm: Instantiate = ({ a: imports }, receive) => {
    const grow = imports[growMemory]!;
    const asked = (bytes: number) => bytes >>> 0 <= maxMemoryBytes / 1.2 && grow(bytes); // it grows by a fifth more than asked for
    const within = { ...imports, [growMemory]: asked };
    const instance = new webAssembly.Instance(module, { a: within });
    receive(instance);
    return instance.exports;
  };
  const quit = (_status: number, thrown: unknown) => {
    throw thrown;
  };
  const silent = () => undefined;
  // the package's own types speak of a compiler's library that is not there
  const create = createGlue as unknown as (options: object) => Glue;
  return create({ instantiateWasm, quit, print: silent, printErr: silent });
}
