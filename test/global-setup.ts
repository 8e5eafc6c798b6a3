import { buildDist } from "../tools/build.mjs";
import { nativeModules } from "../tools/native-modules.mjs";

/** Worker threads and the command line run from dist/, so every test run starts from a fresh build. */
export async function setup(): Promise<void> {
  await buildDist({ more: nativeModules() });
}
