import { readFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";

/** Asks a control plane that was there before, as a load balancer would, until it says that it is ready; its port is the one of the last time. */
export async function untilAnswering(directory: string, signal?: AbortSignal): Promise<void> {
  const port = readFileSync(join(directory, "control-plane", "port"), "utf8").trim();
  const answers = () =>
    new Promise<boolean>((resolve) => {
      get(`https://127.0.0.1:${port}/readyz`, { rejectUnauthorized: false, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      }).on("error", () => resolve(false));
    });
  while (signal?.aborted !== true && !(await answers())) await new Promise((resolve) => setTimeout(resolve, 50));
}
