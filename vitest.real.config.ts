import { defineConfig } from "vitest/config";

/** The tests on real kube-apiservers: `npm run test:real`. They take minutes and gigabytes, so they are no part of `npm test`. */
export default defineConfig({
  test: {
    include: ["test/real/**/*.test.ts", "test/kubectl/proposals/00*.test.ts"],
    env: { FLOTILLA_STAGE: "real" },
    globalSetup: ["test/global-setup.ts"],
    pool: "forks",
    isolate: false,
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    reporters: ["default"],
  },
});
