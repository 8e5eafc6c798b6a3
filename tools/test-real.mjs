// `npm run test:real`: the tests on real kube-apiservers. Where there are none and none can be built they are skipped, in one line that says why.
// Arguments go to vitest.
import { fileURLToPath } from "node:url";
import { kubernetesBinaries } from "./kubernetes-binaries.mjs";
import { finish, runSuite } from "./run-suite.mjs";

export async function runRealTests(args, { mayBeSkipped }) {
  const { missing } = kubernetesBinaries();
  if (missing === undefined)
    return await runSuite({ args: ["--config=vitest.real.config.ts", ...args], measuring: /^test\/real\// });
  console.log(`skipped the tests on a real API server: ${missing}`);
  return { passed: 0, lost: mayBeSkipped ? 0 : 1, status: mayBeSkipped ? 0 : 1 };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  finish([await runRealTests(process.argv.slice(2), { mayBeSkipped: true })]);
