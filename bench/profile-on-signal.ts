import { answerProfileRequest, ownProfiler, profileVariable } from "./profiler.ts";

/** Loaded into a process that is measured (`--import`): takes profiles when it is told to by a signal. */
const folder = process.env[profileVariable];
if (folder !== undefined) {
  const profiler = ownProfiler();
  await answerProfileRequest(profiler, folder);
  process.on("SIGUSR2", () => void answerProfileRequest(profiler, folder));
}
