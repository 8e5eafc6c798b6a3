import { readFileSync } from "node:fs";
import { join } from "node:path";

export const proposals = [
  "000-static-policies",
  "001-preemption",
  "002-suspension",
  "003-batch-change",
  "004-dependencies",
] as const;

export type ProposalName = (typeof proposals)[number];

/** One fenced block of a proposal's text: a manifest that is kept as a file, or what else it is. */
export interface PrintedBlock {
  /** Its number among the blocks of the text, from 1. */
  readonly block: number;
  /** The line of the text at which its fence opens. */
  readonly line: number;
  /** Of what stands between the fences, in hex. */
  readonly sha256: string;
  /** The manifests that it holds, byte by byte. */
  readonly file?: string;
  /** Kept to compare with, not to apply. */
  readonly sample?: string;
  /** Why it is not applied. */
  readonly noManifest?: string;
}

/** The folder that holds what a proposal prints. */
export function fixturesOf(proposal: ProposalName): string {
  return join(import.meta.dirname, "fixtures", proposal);
}

/** Every block that a proposal prints, in its order. */
export function printedBlocks(proposal: ProposalName): readonly PrintedBlock[] {
  const list = JSON.parse(readFileSync(join(import.meta.dirname, "fixtures", "blocks.json"), "utf8"));
  return (list as Readonly<Record<ProposalName, readonly PrintedBlock[]>>)[proposal]; // the list beside this file
}

/** The manifests that a proposal prints, in its order. */
export function manifestFiles(proposal: ProposalName): readonly string[] {
  return printedBlocks(proposal).flatMap(({ file }) => file ?? []);
}
