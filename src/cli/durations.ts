import { Option } from "commander";
import { MisuseError } from "./command.ts";

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Reads `90s`, `5m`, `1h30m` as Go does. */
export function readDuration(text: string): number {
  const parts = [...text.matchAll(/([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text)
    throw new MisuseError(`cannot read duration ${JSON.stringify(text)}`, "write for example 30s, 5m or 1h30m");
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * units[unit as keyof typeof units], 0); // as matched
}

/** A flag with a duration, whose help shows the default as people write it. */
export function durationOption(flags: string, description: string, unlessGiven: string): Option {
  return new Option(flags, description).argParser(readDuration).default(readDuration(unlessGiven), unlessGiven);
}
