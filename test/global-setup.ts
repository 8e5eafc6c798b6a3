import { buildDist } from "../tools/build.mjs";
import { nativeModules } from "../tools/native-modules.mjs";

/** Worker threads and the command line run from dist/, so every test run starts from a fresh build; `npm test` made one for all that it runs. */
export async function setup(): Promise<void> {
  if (process.env["FLOTILLA_BUILT"] === undefined) await buildDist({ more: nativeModules() });
}
