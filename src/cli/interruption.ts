/** Ends when somebody presses Ctrl-C or asks the process to go; the next Ctrl-C ends the process as ever. */
export function interruption(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const stop = () => {
    controller.abort();
    release();
  };
  const release = () => {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.removeListener(name, stop);
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, stop);
  return { signal: controller.signal, [Symbol.dispose]: release };
}
