// Installs what a folder's lock file names, once: a fresh machine has Node.js and npm alone.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

export function installPackages(folder) {
  const lock = join(folder, "package-lock.json");
  const marker = join(folder, "node_modules", ".package-lock.json");
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(lock).mtimeMs) return;
  console.error(`installing packages in ${folder} (first start only)…`);
  const { status } = spawnSync("npm", ["ci", "--no-fund", "--no-audit", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) {
    console.error(
      "error: cannot install packages: npm ci failed (see above)\nhint: check the network and npm's registry setting, then run the command again",
    );
    process.exit(1);
  }
}
