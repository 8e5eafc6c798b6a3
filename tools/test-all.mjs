// What .ci/run runs: all tests, and all on a real API server, where a skip is a failure. Ends with one plain line of counts for both.
import { finish } from "./run-suite.mjs";
import { runTests } from "./test.mjs";
import { runRealTests } from "./test-real.mjs";

finish([runTests([]), runRealTests([], { mayBeSkipped: false })]);
