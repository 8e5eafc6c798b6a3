// `npm start` and `npm run flotilla -- …`: installs what is missing, builds, runs the command line.
import { fileURLToPath } from "node:url";
import { installPackages } from "./install.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
installPackages(root);
const { buildDist } = await import("./build.mjs");
await buildDist();
await import("../dist/flotilla.js");
