import { expect, test } from "vitest";
import { Progress } from "#bench/black-box/progress.ts";

function follow() {
  const told: string[] = [];
  const outlook = { heard: 0, describe: () => `m1 ${outlook.heard}` };
  const progress = new Progress({ outlook, tell: (line) => told.push(line), nowMs: 0 });
  const look = (second: number, heard = outlook.heard) => {
    outlook.heard = heard;
    progress.look(second * 1_000);
  };
  return { look, told };
}

test("how far a change has come is told every half a minute, not at every look", () => {
  const { look, told } = follow();
  for (let second = 1; second <= 95; second++) look(second, second);
  expect(told).toEqual(["  … m1 30", "  … m1 60", "  … m1 90"]);
});

test("a change of which nothing is heard for ten minutes is given up, with what there is to be seen", () => {
  const { look } = follow();
  look(10, 7);
  look(609);
  expect(() => look(610)).toThrow("nothing has moved for 600 s: m1 7");
});

test("one of which something is heard now and then goes on", () => {
  const { look, told } = follow();
  for (let minute = 9; minute <= 90; minute += 9) look(minute * 60, minute);
  expect(told).toHaveLength(10);
});
