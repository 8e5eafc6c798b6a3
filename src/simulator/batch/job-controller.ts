import type { Controller } from "#runtime/controller.ts";
import { applyStep } from "../apply-step.ts";
import { memberResources } from "../member-resources.ts";
import { parseKey } from "../object-key.ts";
import type { SimulatorParts } from "../simulator-parts.ts";
import type { Step } from "../step.ts";
import { watchOwn, watchOwned } from "../watch-owned.ts";
import { decideJob, type JobFacts } from "./decide-job.ts";

/** Keeps the pods of every Job. */
export function jobController({ caches, client, clock }: SimulatorParts): Controller<JobFacts, Step> {
  const { jobs, pods } = caches;
  return {
    name: "jobs",
    watches: [watchOwn(jobs), watchOwned(pods, memberResources.jobs)],
    gather(key) {
      const job = jobs.get(parseKey(key));
      if (job === undefined) return undefined;
      return { job, pods: pods.byIndex("owner", job.metadata.uid), nowMs: clock.nowMs() };
    },
    decide: decideJob,
    apply: (step) => applyStep(client, step),
  };
}
