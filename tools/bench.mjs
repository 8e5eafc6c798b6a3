// `npm run bench [-- store api --json]`: the figures in docs/performance. Builds first, since worker threads run from dist/.
import { fileURLToPath } from "node:url";
import { installPackages } from "./install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
installPackages(root);
const { buildDist } = await import("./build.mjs");
await buildDist({ bench: true });
await import("../dist/bench.js");
