// The pinned Go modules and which of their group versions are served.
import { execFileSync } from "node:child_process";

export const modules = {
  "k8s.io/kubernetes": "v1.36.0",
  "k8s.io/api": "v0.36.0",
  "k8s.io/apimachinery": "v0.36.0",
  "k8s.io/apiextensions-apiserver": "v0.36.0",
};

/** Group versions in the order in which kube-apiserver's discovery lists them; `file` names their folder in k8s.io/api. */
export const groupVersions = [
  { group: "", version: "v1", folder: "core" },
  { group: "apps", version: "v1", folder: "apps" },
  { group: "events.k8s.io", version: "v1", folder: "events" },
  { group: "authentication.k8s.io", version: "v1", folder: "authentication" },
  { group: "authorization.k8s.io", version: "v1", folder: "authorization" },
  { group: "autoscaling", version: "v2", folder: "autoscaling" },
  { group: "autoscaling", version: "v1", folder: "autoscaling" },
  { group: "batch", version: "v1", folder: "batch" },
  { group: "networking.k8s.io", version: "v1", folder: "networking" },
  { group: "policy", version: "v1", folder: "policy" },
  { group: "rbac.authorization.k8s.io", version: "v1", folder: "rbac" },
  { group: "storage.k8s.io", version: "v1", folder: "storage" },
  { group: "admissionregistration.k8s.io", version: "v1", folder: "admissionregistration" },
  { group: "apiextensions.k8s.io", version: "v1", folder: "apiextensions" },
  { group: "scheduling.k8s.io", version: "v1", folder: "scheduling" },
  { group: "coordination.k8s.io", version: "v1", folder: "coordination" },
  { group: "node.k8s.io", version: "v1", folder: "node" },
  { group: "discovery.k8s.io", version: "v1", folder: "discovery" },
];

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf({ group, version }) {
  return group === "" ? version : `${group}/${version}`;
}

/** How the module's files name a group version: `api__v1`, `apis__apps__v1`. */
export function fileStemOf({ group, version }) {
  return group === "" ? `api__${version}` : `apis__${group}__${version}`;
}

/** The unpacked folder of each module; go's own checksums vouch for the content. */
export function downloadModules() {
  const folders = {};
  for (const [name, version] of Object.entries(modules)) {
    const printed = execFileSync("go", ["mod", "download", "-json", `${name}@${version}`], { encoding: "utf8" });
    folders[name] = JSON.parse(printed).Dir;
  }
  return folders;
}
