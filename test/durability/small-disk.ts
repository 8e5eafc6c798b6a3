import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** A place that fills up soon: a small file system where this machine lets us mount one, else the store's own quota. */
export interface SmallDisk {
  readonly method: "tmpfs" | "quota";
  readonly directory: string;
  readonly maxBytes?: number;
  remove(): void;
}

export function smallDisk(parent: string, bytes: number): SmallDisk {
  const mountPoint = join(parent, "disk");
  mkdirSync(mountPoint);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", mountPoint], { stdio: "ignore" });
  } catch {
    return { method: "quota", directory: join(mountPoint, "store"), maxBytes: bytes, remove: () => undefined };
  }
  const remove = () => void execFileSync("umount", [mountPoint]);
  return { method: "tmpfs", directory: join(mountPoint, "store"), remove };
}
