// Tests that live through thousands of worlds import what they test from dist/, as esbuild bundles it: the same code takes twice the time
// where vitest has rewritten every import of it into a lookup.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { imports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** Where these tests are. They wait for nothing but the processor. */
export const worldFolders = ["test/counts", "test/plan", "test/scenarios", "test/story"];
const folders = worldFolders.map((name) => join(root, name));
const nativeFolder = "modules";
/** What they run in a process of its own. */
const programs = ["#test/counts/allocations-program.ts"];

/** Programs for the build: every module that one of these tests imports or runs, by the name that it gets in dist/. */
export function nativeModules() {
  const texts = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(folder, name), "utf8")),
  );
  const named = texts.flatMap((text) => [...text.matchAll(/ from "(#[^"]+)"/g)].map(([, name]) => name));
  return Object.fromEntries([...new Set([...named, ...programs])].map((name) => [nativeNameOf(name), pathOf(name)]));
}

/** For vitest: the imports of these tests, and of what lies beside them, lead there. */
export function importingNativeModules() {
  return {
    name: "native-modules",
    enforce: "pre",
    resolveId(source, importer = "") {
      if (!source.startsWith("#") || !folders.some((folder) => importer.startsWith(folder + sep))) return undefined;
      return { id: pathToFileURL(join(root, "dist", `${nativeNameOf(source)}.js`)).href, external: true };
    },
  };
}

/** `#test/world/world.ts` is `test/world/world.ts`. */
function pathOf(name) {
  const [start, rest] = [name.slice(0, name.indexOf("/")), name.slice(name.indexOf("/") + 1)];
  return relative(root, join(root, imports[`${start}/*`].replace("*", rest)));
}

function nativeNameOf(name) {
  return join(nativeFolder, pathOf(name).replace(/\.ts$/, ""));
}
