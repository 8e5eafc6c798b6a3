import { request } from "node:https";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpAnswer, type HttpCall, http } from "#test/world/http.ts";
import { boxDefinition, boxes, definitions } from "./box-definition.ts";
import { allowedMs, bestOf, measured } from "./machine-speed.ts";
import { memoryGrowth, type ServerProcess, startServerProcess } from "./server-process.ts";

const cms = "/api/v1/namespaces/default/configmaps";
const yaml = { "content-type": "application/yaml" };
const post = (body: string | Buffer, headers: Record<string, string> = {}): HttpCall => ({
  method: "POST",
  body,
  headers,
});

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess();
  await http(server, definitions, post(JSON.stringify(boxDefinition)));
  // what every server takes once it is used: compiled code, buffers, a heap that has grown to its size
  for (let i = 0; i < 5; i++) {
    await http(server, cms, post(Buffer.alloc(3 << 20, 0x20)));
    await http(server, cms, post(`a: "${"x".repeat(1 << 20)}"`, yaml));
    await http(server, cms, post(`- ${"x".repeat(20)}\n`.repeat(40_000), yaml));
  }
});
afterAll(async () => {
  expect(server.isAlive(), "the process lives").toBe(true);
  await server[Symbol.asyncDispose]();
});

describe("SEC-36: YAML bombs are refused in less than 100 ms, in less than 50 MiB", measured, () => {
  const level = (i: number) =>
    `l${i + 1}: &l${i + 1} [${Array(9)
      .fill(i === 0 ? '"x"' : `*l${i}`)
      .join(",")}]`;
  const bombs: Readonly<Record<string, string>> = {
    "nine levels of laughs": Array.from({ length: 9 }, (_, i) => level(i)).join("\n"),
    "a cycle": "a: &a [*a]",
    "3 MiB of anchors": fill("- &a x\n"),
    "3 MiB of aliases": `a: &a x\n${fill("- *a\n")}`,
    "3 MiB of merge keys": `a: &a {x: 1}\n${fill("- {<<: *a}\n")}`,
    "3 MiB of maps": fill("- {a: {b: {c: d}}}\n"),
    "3 MiB of brackets": "[".repeat(3_000_000),
    "3 MiB of tags": fill("- !!js/undefined x\n"),
    "ten thousand documents": "a: b\n---\n".repeat(10_000),
    "a tag of a programming language": "a: !!js/function 'x'",
    "a key that stands twice, a million times": fill("a: b\n"),
  };
  for (const [name, text] of Object.entries(bombs)) {
    test(name, async () => {
      const answers: HttpAnswer[] = [];
      let took = 0;
      const growth = await memoryGrowth(server, async () => {
        const work = async () => answers.push(await http(server, cms, post(text, yaml)));
        took = await bestOf(20, { boundMs: 100, work });
      });
      for (const { code, json } of answers) expect([code, json.reason], json.message).toEqual([400, "BadRequest"]);
      expect(took).toBeLessThan(allowedMs(took, 100));
      expect(growth).toBeLessThan(50);
    });
  }

  test("keys that stand twice are an error where the client asks for it", async () => {
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice}\ndata: {a: b, a: c}\n";
    const { code, json } = await http(server, `${cms}?fieldValidation=Strict`, post(text, yaml));
    expect([code, json.message]).toEqual([400, expect.stringContaining('duplicate field "data.a"')]);
  });
});

describe("SEC-37: depth is bounded", () => {
  const nested = (depth: number, [open, close]: readonly [string, string] = ["[", "]"]) => {
    const head = `"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"deep-${depth}"}`;
    return `{${head},"spec":{"x":${open.repeat(depth - 2)}1${close.repeat(depth - 2)}}}`;
  };

  test("127 levels are stored and served", async () => {
    expect((await http(server, boxes, post(nested(127)))).code).toBe(201);
    expect((await http(server, `${boxes}/deep-127`)).text).toContain("[".repeat(125));
  });
  for (const depth of [129, 5_000, 1_000_000]) {
    test(`${depth} levels are refused`, async () => {
      for (const pair of [
        ["[", "]"],
        ['{"a":', "}"],
      ] as const) {
        const body = nested(depth, pair);
        if (body.length > 3 << 20) continue;
        const { code, json } = await http(server, boxes, post(body));
        expect([code, json.reason]).toEqual([400, "BadRequest"]);
      }
      const patch = {
        method: "PATCH",
        body: nested(depth),
        headers: { "content-type": "application/merge-patch+json" },
      };
      expect((await http(server, `${boxes}/deep-127`, patch)).code).toBe(400);
    });
  }
});

describe("SEC-38: numbers are stored and served as they were written", () => {
  const numbers =
    '{"big":9007199254740993,"unsigned":18446744073709551615,"least":-9223372036854775808,"float":1.0,"exponent":1e3,"zero":-0}';
  const body = `{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"numbers"},"spec":${numbers}}`;
  const patch = (type: string, text: string): HttpCall => ({
    method: "PATCH",
    body: text,
    headers: { "content-type": `application/${type}` },
  });

  test("through every way to write", async () => {
    const path = `${boxes}/numbers`;
    expect((await http(server, boxes, post(body))).text).toContain(numbers);
    await http(server, path, patch("merge-patch+json", '{"metadata":{"labels":{"a":"b"}}}'));
    expect((await http(server, path)).text).toContain(numbers);
    await http(server, path, patch("json-patch+json", '[{"op":"add","path":"/spec/more","value":123456789012345678}]'));
    const { text } = await http(server, path);
    expect(text).toContain(numbers.slice(0, -1));
    expect(text).toContain('"more":123456789012345678');
    expect((await http(server, path, { method: "PUT", body: text })).text).toContain(numbers.slice(0, -1));
    const applied = await http(server, `${path}?fieldManager=a&force=true`, patch("apply-patch+yaml", body));
    expect(applied.text).toContain(numbers.slice(0, -1));
    expect((await http(server, boxes)).text).toContain(numbers.slice(0, -1));
  });
});

describe("SEC-43: oversized bodies are refused in less than 20 MiB", measured, () => {
  test("4 MiB", async () => {
    const growth = await memoryGrowth(server, async () => {
      const { code, json } = await http(server, cms, post(Buffer.alloc(4 << 20, 0x20)));
      expect([code, json.message]).toEqual([413, "Request entity too large: limit is 3145728"]);
    });
    expect(growth).toBeLessThan(20);
  });

  test("an endless chunked body", async () => {
    let code = 0;
    const growth = await memoryGrowth(server, async () => {
      code = await sendEndless();
    });
    expect(code).toBe(413);
    expect(growth).toBeLessThan(20);
  });

  test("a gzip bomb, 1000 to 1", async () => {
    const bomb = gzipSync(Buffer.alloc(300 << 20, 0x20));
    expect(bomb.length).toBeLessThan(1 << 20);
    let code = 0;
    const growth = await memoryGrowth(server, async () => {
      ({ code } = await http(server, cms, post(bomb, { "content-encoding": "gzip" })));
    });
    expect(code).toBe(413);
    expect(growth).toBeLessThan(20);
  });

  test("a small gzip body is read", async () => {
    const body = gzipSync(JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "zipped" } }));
    expect((await http(server, cms, post(body, { "content-encoding": "gzip" }))).code).toBe(201);
  });

  test("an object of more than 1.5 MiB is not stored", async () => {
    const text = JSON.stringify({
      apiVersion: "example.com/v1",
      kind: "Box",
      metadata: { name: "fat" },
      spec: { x: "x".repeat(2 << 20) },
    });
    expect((await http(server, boxes, post(text))).code).toBe(413);
    expect((await http(server, `${boxes}/fat`)).code).toBe(404);
  });
});

function fill(unit: string): string {
  return unit.repeat(Math.floor((3 << 20) / unit.length) - 2);
}

function sendEndless(): Promise<number> {
  const { pki, url } = server;
  return new Promise((resolve, reject) => {
    const credentials = { ca: pki.ca.certificate, cert: pki.admin.certificate, key: pki.admin.privateKey };
    const outgoing = request(`${url}${cms}`, { method: "POST", ...credentials, agent: false });
    let over = false;
    outgoing.on("response", (response) => {
      over = true;
      resolve(response.statusCode ?? 0);
      outgoing.destroy();
    });
    outgoing.on("error", (error) => {
      if (!over) reject(error);
    });
    const more = () => {
      while (!over) if (!outgoing.write(Buffer.alloc(65_536, 0x20))) return void outgoing.once("drain", more);
    };
    more();
  });
}
