import type { Socket } from "node:net";

/** Counts connections by where they come from, and turns away those that are too many, before they cost a handshake. */
export class ConnectionCount {
  readonly #perAddress: number;
  readonly #open = new Map<string, number>();

  constructor(perAddress: number) {
    this.#perAddress = perAddress;
  }

  /** False when the connection was one too many and is gone. */
  admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? "";
    if (isLoopback(address)) return true;
    const open = this.#open.get(address) ?? 0;
    if (open >= this.#perAddress) {
      socket.destroy();
      return false;
    }
    this.#open.set(address, open + 1);
    socket.once("close", () => this.#leave(address));
    return true;
  }

  #leave(address: string): void {
    const open = (this.#open.get(address) ?? 1) - 1;
    if (open === 0) this.#open.delete(address);
    else this.#open.set(address, open);
  }
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address);
}
