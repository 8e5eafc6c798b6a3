// The folder with the kube-apiserver, etcd and kubectl that the tests on a real API server run: `KUBEBUILDER_ASSETS` where it is set,
// else a build from the Go module proxy, kept in the user's cache folder. `node tools/kubernetes-binaries.mjs` prints the folder.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { modules } from "./kubernetes/modules.mjs";

const release = modules["k8s.io/kubernetes"];
const programs = ["kube-apiserver", "etcd", "kubectl"];
const packages = ["k8s.io/kubernetes/cmd/kube-apiserver", "k8s.io/kubernetes/cmd/kubectl", "go.etcd.io/etcd/server/v3"];

/** Either `{ folder }`, in which all three programs are, or `{ missing }`, one line that says why there is none. */
export function kubernetesBinaries(environment = process.env) {
  const given = environment.KUBEBUILDER_ASSETS;
  if (given !== undefined && given !== "") {
    const absent = programs.filter((program) => !existsSync(join(given, program)));
    return absent.length === 0 ? { folder: given } : { missing: `KUBEBUILDER_ASSETS lacks ${absent.join(", ")}` };
  }
  const cache = join(environment.XDG_CACHE_HOME || join(homedir(), ".cache"), "flotilla");
  const folder = join(cache, `kubernetes-${release}`);
  if (existsSync(folder)) return { folder };
  if (spawnSync("go", ["version"]).status !== 0) {
    return { missing: "KUBEBUILDER_ASSETS is not set and there is no Go toolchain to build kube-apiserver with" };
  }
  return build(cache, folder);
}

/** Builds aside and renames: a reader finds all programs or none, and of two builders the second throws its own away. */
function build(cache, folder) {
  console.error(`building kube-apiserver, etcd and kubectl ${release} (once; some minutes)…`);
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(cache, "building-"));
  try {
    const source = moduleFolder(scratch);
    writeFileSync(join(scratch, "go.mod"), goModule(readFileSync(join(source, "go.mod"), "utf8")));
    const out = join(scratch, "bin");
    go(scratch, ["build", "-mod=mod", "-trimpath", "-ldflags", linkerFlags(), "-o", `${out}/`, ...packages]);
    renameSync(join(out, "server"), join(out, "etcd")); // go names a program after the last part of its package
    try {
      renameSync(out, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error;
    }
    return { folder };
  } catch (error) {
    return { missing: `cannot build kube-apiserver: ${error.message}` };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function moduleFolder(scratch) {
  const printed = go(scratch, ["mod", "download", "-json", `k8s.io/kubernetes@${release}`]);
  return JSON.parse(printed).Dir;
}

/** A module that needs Kubernetes and etcd alone; the parts that Kubernetes keeps in its own tree come as they were published. */
function goModule(kubernetes) {
  const published = release.replace(/^v1\./, "v0.");
  const staged = [...kubernetes.matchAll(/^\t(\S+) => \.\/staging\//gm)].map(([, name]) => name);
  if (staged.length < 20) throw new Error(`only ${staged.length} staging modules in Kubernetes' go.mod`);
  const etcd = /^\tgo\.etcd\.io\/etcd\/server\/v3 (\S+)/m.exec(kubernetes)?.[1];
  return [
    "module flotilla/kubernetes-binaries",
    /^go \S+/m.exec(kubernetes)?.[0],
    `require k8s.io/kubernetes ${release}`,
    `require go.etcd.io/etcd/server/v3 ${etcd}`,
    ...staged.map((name) => `replace ${name} => ${name} ${published}`),
    "",
  ].join("\n");
}

/** Without its version an API server believes to be v0.0.0 and refuses to serve what came later. */
function linkerFlags() {
  const [major, minor] = release.slice(1).split(".");
  const facts = { gitVersion: release, gitMajor: major, gitMinor: minor, gitTreeState: "clean" };
  const homes = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"];
  return ["-s", "-w", ...homes.flatMap((home) => Object.entries(facts).map(([k, v]) => `-X ${home}.${k}=${v}`))].join(
    " ",
  );
}

function go(folder, args) {
  const { status, stdout, error } = spawnSync("go", args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, CGO_ENABLED: "0", GOFLAGS: "", GOWORK: "off" },
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw error ?? new Error(`go ${args[0]} failed (see above)`);
  return stdout;
}

if (basename(process.argv[1] ?? "") === "kubernetes-binaries.mjs") {
  // not where it is bundled into the program that was started
  const { folder, missing } = kubernetesBinaries();
  console.log(folder ?? missing);
  process.exit(folder === undefined ? 1 : 0);
}
