import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** One address for several servers, as a Service is: connections go round, and past those that do not answer. */
export class TcpBalancer implements AsyncDisposable {
  /** Ports on this machine. */
  backends: readonly number[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #next = 0;

  private constructor() {
    this.#server = createServer((client) => this.#place(client, this.backends.length));
  }

  static async listen(): Promise<TcpBalancer> {
    const balancer = new TcpBalancer();
    await new Promise<void>((resolve) => balancer.#server.listen(0, "127.0.0.1", resolve));
    return balancer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // it listens
  }

  /** Cuts connections that are there, so that those who need one come anew. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #place(client: Socket, tries: number): void {
    this.#keep(client);
    const port = this.backends[this.#next++ % Math.max(this.backends.length, 1)];
    if (port === undefined || tries === 0) return void client.destroy();
    const server = connect(port, "127.0.0.1");
    this.#keep(server);
    server.once("error", () => this.#place(client, tries - 1));
    server.once("connect", () => {
      server.removeAllListeners("error").on("error", () => client.destroy());
      client.pipe(server);
      server.pipe(client);
      client.once("close", () => server.destroy());
      server.once("close", () => client.destroy());
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {}); // the other end tells
    socket.once("close", () => this.#sockets.delete(socket));
  }
}
