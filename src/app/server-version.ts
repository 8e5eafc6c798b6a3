/** The Kubernetes whose API we speak; clients parse it and compare it with their own. */
export const serverVersion = "v1.36.0";

export const versionInfo = {
  major: "1",
  minor: "36",
  emulationMajor: "1",
  emulationMinor: "36",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "35",
  gitVersion: serverVersion,
  gitCommit: "flotilla",
  gitTreeState: "clean",
  buildDate: "2026-11-01T00:00:00Z",
  goVersion: `node-${process.version}`,
  compiler: "v8",
  platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
};
