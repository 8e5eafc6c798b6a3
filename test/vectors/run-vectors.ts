import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "#base/parse-json.ts";
import { differences, withoutNulls } from "./compare.ts";
import type { Vector, VectorAdapter, VectorFunction } from "./vector.ts";

/** What became of the vectors of one file. */
export interface FileReport {
  readonly file: string;
  readonly passed: number;
  /** Differences that a ruling makes, by the ruling's number. */
  readonly byRuling: ReadonlyMap<number, number>;
  readonly failures: readonly VectorFailure[];
}

export interface VectorFailure {
  /** Counted from 1; 0 when the file as a whole failed. */
  readonly line: number;
  readonly label: string;
  readonly differences: readonly string[];
}

/** The vector files of a folder, sorted. */
export function vectorFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".jsonl"))
    .toSorted();
}

/** Runs every line of one file through the adapter of the same name; a file without an adapter has failed. */
export async function runVectorFile(folder: string, file: string): Promise<FileReport> {
  const name = file.replace(/\.jsonl$/, "");
  let adapter: VectorAdapter;
  try {
    adapter = await loadAdapter(name);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return wholeFileFailed(file, `cannot load test/vectors/adapters/${name}.ts: ${why}`);
  }
  const lines = readFileSync(join(folder, file), "utf8").split("\n");
  const outcomes = lines.flatMap((line, index) => (line.trim() === "" ? [] : [runLine(adapter, line, index + 1)]));
  if (outcomes.length === 0) return wholeFileFailed(file, "the file has no vectors");
  const byRuling = new Map<number, number>();
  for (const { ruling } of outcomes) if (ruling !== undefined) byRuling.set(ruling, (byRuling.get(ruling) ?? 0) + 1);
  return {
    file,
    passed: outcomes.filter(({ failure, ruling }) => failure === undefined && ruling === undefined).length,
    byRuling,
    failures: outcomes.flatMap(({ failure }) => (failure === undefined ? [] : [failure])),
  };
}

/** The template lets both the test runner and the bundler find the adapters by their file names alone. */
async function loadAdapter(name: string): Promise<VectorAdapter> {
  const module: { readonly adapter?: VectorAdapter } = await import(`./adapters/${name}.ts`);
  if (module.adapter === undefined) throw new Error("it exports no `adapter`");
  return module.adapter;
}

function wholeFileFailed(file: string, why: string): FileReport {
  return { file, passed: 0, byRuling: new Map(), failures: [{ line: 0, label: file, differences: [why] }] };
}

interface Outcome {
  readonly ruling?: number;
  readonly failure?: VectorFailure;
}

function runLine(adapter: VectorAdapter, text: string, line: number): Outcome {
  const vector = parseJson(text).value as Vector; // the recorded format; a line of another shape fails below
  const label = `${vector.fn}: ${vector.case}`;
  const fn = Object.hasOwn(adapter, vector.fn) ? adapter[vector.fn] : undefined;
  if (fn === undefined) return { failure: { line, label, differences: [`the adapter has no function ${vector.fn}`] } };
  try {
    const typed = fn.typedInput === true ? { ...vector, in: withoutNulls(vector.in) } : vector;
    return compareAnswer(fn, typed, { line, label });
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { failure: { line, label, differences: [`threw ${why}`] } };
  }
}

function compareAnswer(fn: VectorFunction, vector: Vector, at: { readonly line: number; readonly label: string }) {
  const answer = fn.answer(vector.in as never);
  const found = differences(vector, answer, fn.rules);
  if (found.length === 0) return {};
  const exception = fn.exceptions?.find(({ explains }) => explains(vector, answer));
  return exception === undefined ? { failure: { ...at, differences: found } } : { ruling: exception.ruling };
}
