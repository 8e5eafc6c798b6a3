import { expect, test } from "vitest";
import { FairTurns } from "./fair-turns.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test("few begin at once", () => {
  const turns = new FairTurns<object>();
  const begun: number[] = [];
  for (let i = 0; i < 10; i++) turns.take({}, () => begun.push(i));
  expect(begun).toHaveLength(10);
});

test("a client with one request does not wait for one with a thousand", async () => {
  const turns = new FairTurns<object>();
  const [greedy, modest] = [{}, {}];
  const begun: string[] = [];
  for (let i = 0; i < 1_000; i++) turns.take(greedy, () => begun.push("greedy"));
  turns.take(modest, () => begun.push("modest"));
  await turn();
  await turn();
  expect(begun.indexOf("modest")).toBeLessThan(20);
  expect(begun.length, "and the loop comes round in between").toBeLessThan(100);
});

test("everyone gets there in the order of his own requests, also when asked meanwhile", async () => {
  const turns = new FairTurns<object>();
  const clients = [{}, {}, {}];
  const begun: number[][] = [[], [], []];
  for (let i = 0; i < 50; i++)
    for (const [index, client] of clients.entries()) {
      turns.take(client, () => {
        begun[index]!.push(i);
        if (i === 10) turns.take(client, () => begun[index]!.push(50));
      });
    }
  for (let i = 0; i < 200; i++) await turn();
  for (const own of begun) expect(own).toEqual(Array.from({ length: 51 }, (_, i) => i));
});
