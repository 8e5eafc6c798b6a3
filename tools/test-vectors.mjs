// `npm run test:vectors [-- folder]`: runs the recorded vectors of a folder (default: the committed ones) against our
// functions. One line for each file, a last line of counts; differences that a ruling makes are named, not counted.
import { join } from "node:path";
import { fromWhereTheUserStands, root, runBundled } from "./bundled-program.mjs";

const folder = process.argv[2];
const chosen = folder === undefined ? join(root, "test", "vectors", "fixtures") : fromWhereTheUserStands(folder);
await runBundled("vectors", ({ reportFolder }) => reportFolder(chosen));
