import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const dist = join(import.meta.dirname, "..", "..", "dist");

/** What is loaded before a command is known: the program and what it imports without being asked to. */
function loadedAtStart(): { readonly packages: readonly string[]; readonly bytes: number } {
  const packages = new Set<string>();
  const files = ["flotilla.js"];
  let bytes = 0;
  for (const file of files) {
    const text = readFileSync(join(dist, file), "utf8");
    bytes += text.length;
    for (const [, target] of text.matchAll(/^(?:import|export)\b[^;]*?["']([^"']+)["'];$/gms)) {
      if (!target!.startsWith("./")) packages.add(target!);
      else if (!files.includes(target!.slice(2))) files.push(target!.slice(2));
    }
  }
  return { packages: [...packages].filter((each) => !each.startsWith("node:")).sort(), bytes };
}

test("the program loads little before it knows what is asked for", () => {
  const { packages, bytes } = loadedAtStart();
  expect(packages).toEqual(["commander"]);
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(150_000);
});
