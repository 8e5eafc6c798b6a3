import { expect, test } from "vitest";
import { StatusError } from "#api/meta/status-error.ts";
import { lineLogger } from "./system.ts";

function open(level: "error" | "info" | "debug" = "debug") {
  const lines: string[] = [];
  return { log: lineLogger((line) => lines.push(line), level), lines };
}

const read = (line: string | undefined) => JSON.parse(line ?? "") as Record<string, unknown>;

test("a line is one JSON object with time, level, message and what belongs to it", () => {
  const { log, lines } = open();
  log.child({ controller: "detector" }).child({ member: "m1" }).info("reconciled", { key: "shop/web", steps: 2 });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[^\n]*\n$/);
  expect(read(lines[0])).toEqual({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    level: "info",
    msg: "reconciled",
    controller: "detector",
    member: "m1",
    key: "shop/web",
    steps: 2,
  });
});

test("less important lines are left out", () => {
  const { log, lines } = open("error");
  log.debug("a");
  log.info("b");
  log.error("c");
  expect(lines.map((line) => read(line)["msg"])).toEqual(["c"]);
});

test("errors are told with their cause, answers with their code; fields cannot pose as the line's own", () => {
  const { log, lines } = open();
  const error = new Error("outer", { cause: StatusError.notFound({ group: "", resource: "pods", name: "a" }) });
  log.error("reconcile failed", { error, level: "info", msg: "all is well" });
  const line = read(lines[0]);
  expect([line["level"], line["msg"]]).toEqual(["error", "reconcile failed"]);
  expect(line["error"]).toMatchObject({ message: "outer", cause: { code: 404, reason: "NotFound" } });
});

test("what cannot be printed costs its fields, never the line", () => {
  const { log, lines } = open();
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  log.error("odd", { loop });
  log.error("large", { count: 2n ** 64n });
  expect(lines.map((line) => read(line))).toMatchObject([
    { msg: "odd", unprintable: true },
    { msg: "large", count: "18446744073709551616" },
  ]);
});
