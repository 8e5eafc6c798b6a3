import { dnsLabelErrors } from "#api/meta/names.ts";

/** That pods will be named after something whose name is no DNS label. */
export function nameWarnings(name: string, use = "Pod names and hostnames"): string[] {
  const problems = dnsLabelErrors(name);
  if (problems.length === 0) return [];
  const advice = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended`;
  return [`metadata.name: ${advice}: [${problems.join(" ")}]`];
}
