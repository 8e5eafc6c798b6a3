import type { Controller } from "#runtime/controller.ts";
import { applyStep } from "../apply-step.ts";
import { memberResources } from "../member-resources.ts";
import { parseKey } from "../object-key.ts";
import type { SimulatorParts } from "../simulator-parts.ts";
import type { Step } from "../step.ts";
import { watchOwn, watchOwned } from "../watch-owned.ts";
import { type CronJobFacts, decideCronJob } from "./decide-cron-job.ts";

/** Keeps the Jobs of every CronJob. */
export function cronJobController({ caches, client, clock }: SimulatorParts): Controller<CronJobFacts, Step> {
  const { cronJobs, jobs } = caches;
  return {
    name: "cronjobs",
    watches: [watchOwn(cronJobs), watchOwned(jobs, memberResources.cronJobs)],
    gather(key) {
      const cronJob = cronJobs.get(parseKey(key));
      if (cronJob === undefined) return undefined;
      return { cronJob, jobs: jobs.byIndex("owner", cronJob.metadata.uid), nowMs: clock.nowMs() };
    },
    decide: decideCronJob,
    apply: (step) => applyStep(client, step),
  };
}
