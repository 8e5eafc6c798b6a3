// Sorts the answers of main.go into the fixtures of src/builtin; the moment of asking is taken out.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const files = { create: "kubernetes-creates.json", update: "kubernetes-updates.json", table: "kubernetes-tables.json" };
const asked = new Date().toISOString().slice(0, 10);
const provenance = `Answers of Kubernetes v1.36.0's own defaulting, strategies, validation and printers, asked on ${asked}; see tools/kubernetes-answers.`;
const answers = { create: [], update: [], table: [] };

for await (const line of createInterface({ input: process.stdin })) {
  const { op, error: _, ...answer } = JSON.parse(line);
  const now = answer.result?.metadata?.creationTimestamp;
  const text = JSON.stringify(answer);
  answers[op].push(op === "create" && now !== undefined ? text.replaceAll(JSON.stringify(now), '"NOW"') : text);
}
for (const [op, file] of Object.entries(files)) {
  const path = new URL(`../../src/builtin/fixtures/${file}`, import.meta.url);
  writeFileSync(
    path,
    `{\n"provenance": ${JSON.stringify(provenance)},\n"answers": [\n${answers[op].join(",\n")}\n]\n}\n`,
  );
}
