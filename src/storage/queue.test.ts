import { expect, test } from "vitest";
import { Queue } from "./queue.ts";

test("it is an array that is pushed to and shifted from, however much has passed through", () => {
  const queue = new Queue<number>();
  const model: number[] = [];
  for (let item = 0; item < 6_000; item++) {
    queue.push(item);
    model.push(item);
    // It grows to a third, then empties.
    if (item % 3 !== 0) expect(queue.shift()).toBe(model.shift());
    expect([queue.length, queue.at(0), queue.at(7)]).toEqual([model.length, model[0], model[7]]);
  }
  while (model.length > 0) expect(queue.shift()).toBe(model.shift());
  expect([queue.length, queue.at(0), queue.shift()]).toEqual([0, undefined, undefined]);
});
