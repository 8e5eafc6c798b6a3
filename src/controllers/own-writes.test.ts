import { expect, test } from "vitest";
import type { ApiObject } from "#api/meta/object-meta.ts";
import { OwnWrites } from "./own-writes.ts";

const at = (revision: string): ApiObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "n", uid: "u", resourceVersion: revision, creationTimestamp: "" },
});

function listening() {
  const own = new OwnWrites();
  const told: string[] = [];
  const news = (revision: string) => own.unlessOwn(at(revision), () => told.push(revision));
  return { own, told, news };
}

test("news of one's own write are no news, before the answer and after it", async () => {
  const { own, told, news } = listening();
  await own.change(at("1"), async () => {
    news("2");
    return at("2");
  });
  await own.change(at("2"), async () => at("3"));
  news("3");
  expect(told).toEqual([]);
  news("4");
  expect(told).toEqual(["4"]);
});

test("what others wrote meanwhile is told, once it is known that it is theirs", async () => {
  const { own, told, news } = listening();
  await own.change(at("1"), async () => {
    news("2");
    news("3");
    expect(told).toEqual([]);
    return at("2");
  });
  expect(told).toEqual(["3"]);
});

test("what came in place of one's own write is told, and nothing is kept of it", async () => {
  const { own, told, news } = listening();
  await own.change(at("1"), async () => at("2"));
  news("5");
  news("2");
  expect(told).toEqual(["5", "2"]);
});

test("where a write fails everything is told", async () => {
  const { own, told, news } = listening();
  const failing = own.change(at("1"), async () => {
    news("2");
    throw new Error("conflict");
  });
  await expect(failing).rejects.toThrow("conflict");
  news("3");
  expect(told).toEqual(["2", "3"]);
});
