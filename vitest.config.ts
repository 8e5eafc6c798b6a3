import { defineConfig } from "vitest/config";
import { importingNativeModules } from "./tools/native-modules.mjs";

export default defineConfig({
  plugins: [importingNativeModules()],
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["test/clients/**", "test/real/**", "node_modules/**"],
    globalSetup: ["test/global-setup.ts"],
    pool: "forks",
    execArgv: ["--max-inlined-bytecode-size-cumulative=300", "--v8-pool-size=1"], // as `npm start` does
    isolate: false,
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    reporters: ["default"],
  },
});
