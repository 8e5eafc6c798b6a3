import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** The road to a server, on which what goes there can be held up. It arrives in the end, even when its sender has gone meanwhile. */
export class HeldRoad implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** What waits to go on, in order. */
  #held: (() => void)[] | undefined;

  private constructor(port: number) {
    this.#server = createServer((near) => {
      const far = connect(port, "127.0.0.1");
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on("error", () => {}); // the other end tells
        socket.once("close", () => this.#sockets.delete(socket));
      }
      near.on("data", (chunk) => this.#pass(() => far.write(chunk)));
      near.once("close", () => this.#pass(() => far.end()));
      far.on("data", (chunk) => near.write(chunk));
      far.once("close", () => near.destroy());
    });
  }

  static async to(url: string): Promise<HeldRoad> {
    const road = new HeldRoad(Number(new URL(url).port));
    await new Promise<void>((resolve) => road.#server.listen(0, "127.0.0.1", resolve));
    return road;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // it listens on a port
  }

  hold(): void {
    this.#held ??= [];
  }

  letGo(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const go of held) go();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(go: () => void): void {
    if (this.#held === undefined) go();
    else this.#held.push(go);
  }
}
