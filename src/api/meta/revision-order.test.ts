import { expect, test } from "vitest";
import { isLaterRevision } from "./revision-order.ts";

test.each([
  ["11", "9", true],
  ["9", "11", false],
  ["12", "11", true],
  ["11", "11", false],
  ["9007199254740993", "9007199254740992", true],
  ["", "1", false],
  ["1", "", false],
  ["abc", "1", false],
  ["2", "x", false],
  ["007", "6", false],
])("revision %j after %j: %s", (revision, than, later) => expect(isLaterRevision(revision, than)).toBe(later));
