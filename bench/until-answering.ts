import { readFileSync } from "node:fs";
import { Agent, get } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";

const askMs = 50;

/** Asks a control plane that was there before, as a load balancer would, until it says that it is ready; its port is the one of the last time. */
export async function untilAnswering(directory: string, signal?: AbortSignal): Promise<void> {
  const port = Number(readFileSync(join(directory, "control-plane", "port"), "utf8").trim());
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const isAborted = () => signal?.aborted === true;
  const pause = () => new Promise((resolve) => setTimeout(resolve, askMs));
  // who asks is in the process that is measured: a connection with all that belongs to TLS is made when there is somebody to answer
  while (!isAborted() && !(await listens(port))) await pause();
  while (!isAborted() && !(await answers(port, agent))) await pause();
  agent.destroy();
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    }).on("error", () => resolve(false));
  });
}

function answers(port: number, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    get(`https://127.0.0.1:${port}/readyz`, { agent }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode === 200));
    }).on("error", () => resolve(false));
  });
}
