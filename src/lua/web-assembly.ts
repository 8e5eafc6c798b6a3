/** A compiled program, of which any number of instances can be made. */
export interface CompiledModule {
  readonly brand?: "WebAssembly.Module";
}

interface WebAssemblyOfTheHost {
  readonly Module: new (bytes: Uint8Array) => CompiledModule;
  readonly Instance: new (module: CompiledModule, imports: object) => { readonly exports: object };
}

/** WebAssembly as Node has it; the types of the oldest Node that we support lack it. */
export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyOfTheHost }).WebAssembly;
