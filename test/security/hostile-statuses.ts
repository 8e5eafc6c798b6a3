import { seededRandom } from "#test/world/world.ts";

/** What members could say in the place of a number, a text or a list. */
const nasty = [
  "-1",
  "1e308",
  "1.5",
  "2147483648",
  "9007199254740993",
  "-9223372036854775808",
  '"NaN"',
  '"3"',
  "null",
  "true",
  "{}",
  "[]",
  '[{"type":7}]',
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  '"<script>alert(1)</script>"',
  '"\\u001b[31mred\\u0000"',
  `"${"x".repeat(70_000)}"`,
  `${"[".repeat(100)}${"]".repeat(100)}`,
  `${'{"a":'.repeat(60)}1${"}".repeat(60)}`,
];
const members = [
  "replicas",
  "readyReplicas",
  "availableReplicas",
  "observedGeneration",
  "active",
  "succeeded",
  "conditions",
  "loadBalancer",
  "phase",
  "startTime",
  "currentHealthy",
  "numberReady",
  "disruptedPods",
  "__proto__",
];

/** A status as a hostile member would write it, as text: the same for the same seed. */
export function hostileStatusText(seed: number): string {
  const random = seededRandom(seed);
  const any = <T>(values: readonly T[]) => values[Math.floor(random.fraction() * values.length)]!;
  const chosen = new Set(Array.from({ length: 1 + Math.floor(random.fraction() * 6) }, () => any(members)));
  return `{${[...chosen].map((name) => `${JSON.stringify(name)}:${any(nasty)}`).join(",")}}`;
}
