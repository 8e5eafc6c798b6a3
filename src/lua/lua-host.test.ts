import { afterAll, describe, expect, test } from "vitest";
import type { Clock } from "#base/clock.ts";
import { stringifyJson } from "#base/json.ts";
import { parseJson } from "#base/parse-json.ts";
import { LuaHost, type LuaResult } from "./lua-host.ts";

const realClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
const hosts: LuaHost[] = [];
function start(options: { readonly limitMs?: number; readonly maxWaiting?: number } = {}): LuaHost {
  const host = new LuaHost({ clock: realClock, ...options });
  hosts.push(host);
  return host;
}
const host = start({ limitMs: 10_000 });
afterAll(async () => {
  for (const each of hosts) await each[Symbol.asyncDispose]();
});
const run = (body: string, ...args: readonly unknown[]) =>
  host.run({ script: `function F(a, b) ${body} end`, entry: "F", args });
const errorOf = (result: LuaResult) => (result.ok ? `no error: ${JSON.stringify(result.results)}` : result.error);

describe("SEC-30: whatever a script does, it ends, and nobody waits for it", () => {
  /** What must be killed by the clock. */
  const endless: Readonly<Record<string, string>> = {
    "a loop": "while true do end",
    "a loop that catches errors": "while true do pcall(function() error('x') end) end",
    "a loop in a caught function": "pcall(function() while true do end end)",
    "a counting loop": "for i = 1, 1e15 do end",
    "a repeat": "repeat until false",
    "a goto of tail calls": "local function f() return f() end return f()",
    "mutual tail calls": "local g local function f() return g() end g = f return f()",
    "pattern backtracking": "return string.find(string.format('%99s', 'a'), '.-.-.-.-.-.-.-.-.-.-x')",
    "backtracking by match": "return string.match(string.format('%99s', 'a'), '(.-)(.-)(.-)(.-)(.-)(.-)(.-)x')",
    "a search that never finds": "local t = {} while t.x == nil do t.y = (t.y or 0) + 1 end",
    "an endless iterator": "for _ in function() return 1 end do end",
    "a sort that never ends":
      "local t = {} for i = 1, 50 do t[i] = i end while true do table.sort(t, function(x, y) return x > y end) end",
  };
  /** What runs out of room, and says so. */
  const greedy: Readonly<Record<string, string>> = {
    "concat doubling": "local s = 'x' while true do s = s .. s end",
    "concat doubling, caught":
      "local s = 'x' local ok = true while ok do ok = pcall(function() s = s .. s end) end error('full')",
    "table growth": "local t = {} local i = 0 while true do i = i + 1 t[i] = {i} end",
    "string growth by format": "local s = 'x' while true do s = string.format('%s%s', s, s) end",
    "string growth by table.concat": "local s = 'x' while true do s = table.concat({s, s}) end",
    "deep recursion": "local function f(n) return 1 + f(n + 1) end return f(1)",
    "recursion through pcall": "local function f() local ok, e = pcall(f) error(e) end f()",
    "recursion through callbacks": "local function f() table.sort({3, 2, 1}, f) return false end f()",
    "a coroutine loop": "while true do coroutine.wrap(function() coroutine.yield() end)() end",
    "an endless result": "local t = {} t.t = t return t",
    "a huge result": "local t = {} for i = 1, 30 do t = {t, t} end return t",
  };

  test("endless scripts are killed, and the main loop goes on", async () => {
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 1);
    const lanes = [start({ limitMs: 150 }), start({ limitMs: 150 })];
    const results = await Promise.all(
      Object.entries(endless).map(async ([name, body], index) => {
        const result = await lanes[index % 2]!.run({ script: `function F() ${body} end`, entry: "F", args: [] });
        return [name, errorOf(result)] as const;
      }),
    );
    clearInterval(ticking);
    for (const [name, error] of results) expect(error, name).toBe("the script took longer than 150 ms");
    expect(ticks).toBeGreaterThan(50);
  });

  test("greedy scripts run out of room, and the next script runs", async () => {
    for (const [name, body] of Object.entries(greedy)) {
      const error = errorOf(await run(body));
      expect(error, name).toMatch(
        /not enough memory|overflow|full|nil value|nests deeper|larger than|longer than|loop/,
      );
      expect(await run("return a", 1), name).toEqual({ ok: true, results: [1] });
    }
  });

  test("a script that was killed five times is not run any more; its queue is told; others are served", async () => {
    const lane = start({ limitMs: 60 });
    const script = "function F() while true do end end";
    const killed = await Promise.all(Array.from({ length: 7 }, () => lane.run({ script, entry: "F", args: [] })));
    expect(killed.map(errorOf).slice(4)).toEqual([
      "the script took longer than 60 ms",
      "the script had to be ended 5 times and is not run any more",
      "the script had to be ended 5 times and is not run any more",
    ]);
    expect(await lane.run({ script: `${script}\nfunction G() return 1 end`, entry: "G", args: [] })).toEqual({
      ok: true,
      results: [1],
    });
  });

  test("the queue is bounded", async () => {
    const lane = start({ maxWaiting: 2 });
    const call = { script: "function F() end", entry: "F", args: [] };
    const results = await Promise.all([lane.run(call), lane.run(call), lane.run(call)]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(errorOf(results[2]!)).toBe("2 runs are waiting already");
  });

  test("a host that is stopped answers everybody", async () => {
    const lane = start();
    const answer = lane.run({ script: "function F() while true do end end", entry: "F", args: [] });
    await lane[Symbol.asyncDispose]();
    expect(errorOf(await answer)).toBe("Lua is being stopped");
    expect(errorOf(await lane.run({ script: "", entry: "F", args: [] }))).toBe("Lua is being stopped");
  });
});

describe("SEC-31: there is no way out", () => {
  const escapes = [
    ...["io", "os", "debug", "package", "coroutine", "load", "loadstring", "loadfile", "dofile", "module", "newproxy"],
    ...["getfenv", "setfenv", "rawset", "rawget", "collectgarbage", "gcinfo", "process", "globalThis", "chunk", "step"],
    ...["string.dump", "math.random", "math.randomseed", "_G.string", "_G._G", "_G.io", "args", "answer", "entry"],
    ...[
      "getmetatable('')",
      "getmetatable(string)",
      "getmetatable(require('kube'))",
      "string.gfind",
      "table.foreach",
      "rawequal",
    ],
    "getmetatable('').__index",
    "(''):rep(10)",
    "string.rep('x', 10)",
    "string.gsub('x', 'x', 'y')",
    "('x'):gsub('x', os)",
    "('').dump(function() end)",
    "require('os')",
    "require('io')",
    "require('package')",
    "require('./kube')",
    "require(nil)",
    "setmetatable('', {})",
    "setmetatable(string, {})",
    "setmetatable(math, {__index = 1})",
    "setmetatable(require('kube'), {})",
    "(function() string.format = 1 return 1 end)()",
    "(function() require('kube').resourceAdd = 1 return 1 end)()",
    "(function() _G.x = 1 return 1 end)()",
    "(function() table.insert(string, 1) return string[1] end)()",
  ];
  test("the list is long enough", () => expect(escapes.length).toBeGreaterThanOrEqual(40));
  for (const attempt of escapes) {
    test(attempt, async () => {
      const result = await run(`return (${attempt})`);
      if (result.ok) expect([null, false]).toContain(result.results[0] ?? null);
      else expect(result.again).toBe(false);
    });
  }

  test("compiled code is refused", async () => {
    expect(errorOf(await host.run({ script: "\u001bLua", entry: "F", args: [] }))).toBe(
      "compiled scripts are not accepted",
    );
  });
});

test("SEC-32: every run finds a fresh environment", async () => {
  const spoil = "x = 1 ; pairs = nil ; string = nil ; F = function() return x end";
  expect(await host.run({ script: spoil, entry: "F", args: [] })).toEqual({ ok: true, results: [1] });
  expect(await run("return type(x), type(pairs), string.format('%d', 3)")).toEqual({
    ok: true,
    results: ["nil", "function", "3"],
  });
});

describe("values", () => {
  const object = {
    kind: "K",
    none: null,
    empty: {},
    list: [],
    nested: [[], {}, [null, 1]],
    text: 'q"\\\n\r\u0000é😀]]',
    whole: 9007199254740991,
    fraction: 0.1,
    minus: -5,
    ["__proto__x"]: 1,
  };
  test("an object comes back as it went", async () => {
    expect(await run("return a", object)).toEqual({ ok: true, results: [object] });
  });
  test("numbers that Lua cannot hold come back as they were, or are refused where they moved", async () => {
    const big = parseJson('{"kind":"K","big":9007199254740993,"status":{"seen":9007199254740993}}').value;
    const whole = await run("a.more = 1 return a", big);
    expect(stringifyJson(whole)).toContain('"big":9007199254740993');
    expect(stringifyJson(await run("return a.status", big))).toContain('"seen":9007199254740993');
    expect(errorOf(await run("return {x = a.big}", big))).toContain("the number at x cannot be kept exactly");
  });
  test("a member named __proto__ stays a member", async () => {
    const evil = JSON.parse('{"kind":"K","__proto__":{"polluted":1}}') as object; // a plain object
    const result = await run("a.__proto__.more = 2 return a", evil);
    expect(JSON.stringify(result)).toContain('"__proto__":{"polluted":1,"more":2}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
  test("lists and objects are told apart, empty ones by where they come from", async () => {
    expect(await run("return {1, 2}, {}, a, {x = 1}, {[2] = 1}", [])).toEqual({
      ok: true,
      results: [[1, 2], {}, [], { x: 1 }, { "2": 1 }],
    });
  });
  for (const [body, error] of [
    ["return 0/0", "the result has a number that is none"],
    ["return 1/0", "the result has a number that is none"],
    ["return 2^60", "the number at the result cannot be kept exactly"],
    ["return {x = 2^53 + 2}", "the number at x cannot be kept exactly"],
    ["return function() end", "the result has a value that is a function"],
    ["return {[{}] = 1}", "the result has a key that is a table"],
    ["return '\\255'", "the script returned text that is not UTF-8"],
    ["error({})", "an error that is no text"],
    ["error('boo')", "script:1: boo"],
  ] as const) {
    test(`${body} is refused by name`, async () => {
      expect(errorOf(await run(body))).toContain(error);
    });
  }
});

describe("parsing", () => {
  test("Lua is accepted and not run", async () => expect(await host.parse("error('x')")).toBeUndefined());
  test("what is not Lua is refused with its place", async () =>
    expect(await host.parse("function F(")).toBe("script:1: <name> or '...' expected near '<eof>'"));
});
