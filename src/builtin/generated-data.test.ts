import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "#base/json.ts";
import { findDataDirectory } from "./data-directory.ts";
import { loadBuiltinCatalog } from "./load-schemas.ts";

const { publishedSchemas } = loadBuiltinCatalog(findDataDirectory());

type Fields<Field> = Record<string, Field>;

function fixture<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8")) as T;
}

describe("schemas agree with those of a running server", () => {
  const keywords: Record<string, string> = {
    l: "x-kubernetes-list-type",
    k: "x-kubernetes-list-map-keys",
    m: "x-kubernetes-map-type",
    pk: "x-kubernetes-patch-merge-key",
    ps: "x-kubernetes-patch-strategy",
    d: "default",
  };
  /** Fields that the recorded server has since changed or added. */
  const newer = new Set([
    "io.k8s.api.core.v1.NodeAllocatableResourceClaimStatus.mapping",
    "io.k8s.api.core.v1.NodeAllocatableResourceClaimStatus.overhead",
    "io.k8s.api.core.v1.PodSpec.evictionResponders",
    "io.k8s.api.core.v1.PodStatus.nodeAllocatableResourceClaimStatuses",
    "io.k8s.api.core.v1.PodStatus.volumeHealth",
    "io.k8s.api.core.v1.VolumeMount.bindMountOptions",
  ]);
  const recorded = fixture<Fields<Fields<Record<string, unknown>>>>("list-types.json");
  test.each(Object.entries(recorded))("%s", (name, fields) => {
    for (const [field, facts] of Object.entries(fields)) {
      if (newer.has(`${name}.${field}`)) continue;
      const schema = publishedSchemas[name]!;
      const node = field === "" ? schema : (schema["properties"] as Record<string, JsonObject>)[field]!;
      for (const [key, value] of Object.entries(facts))
        expect({ field, value: node[keywords[key]!] }).toEqual({ field, value });
    }
  });
});

describe("protobuf fields agree with those of a running server", () => {
  interface Recorded {
    readonly n: string;
    readonly p: number;
    readonly t: string;
    readonly r?: true;
    readonly o?: true;
    readonly k?: true;
    readonly z?: true;
  }
  const typeNames: Record<string, string> = {
    "@rawjson": "@json",
    "@raw": "@json",
    "@fieldsv1": "@json",
    "@intorstr": "@intorstring",
    "@JSONSchemaPropsOrBool": "@schemaorbool",
    "@JSONSchemaPropsOrArray": "@schemaorarray",
    "@JSONSchemaPropsOrStringArray": "@schemaorstrings",
  };
  /** A named slice of messages is written as plain repeated messages. Structs are printed whatever their tag says. */
  const known = new Set(["apiextensions.v1.JSONSchemaProps 44", "apps.v1.ControllerRevision 2"]);
  const removedSince = new Set(["core.v1.NodeAllocatableResourceClaimStatus 3"]);
  const recorded = fixture<Fields<Recorded[]>>("protobuf-fields.json");
  const { messages } = JSON.parse(readFileSync(`${findDataDirectory()}/protobuf.json`, "utf8")) as {
    messages: Fields<[number, string, string, string?][]>;
  };

  function asGenerated({ n, p, t, ...flags }: Recorded): unknown {
    const type = t.replace(/^%/, "");
    return { number: p, name: n, type: typeNames[type] ?? type, flags: { map: t.startsWith("%"), ...flags } };
  }

  test.each(Object.entries(messages))("%s", (message, fields) => {
    const byNumber = new Map(recorded[message]!.map((field) => [field.p, field]));
    for (const [number, name, type, letters = ""] of fields) {
      if (known.has(`${message} ${number}`) || removedSince.has(`${message} ${number}`)) continue;
      const flags = {
        map: letters.includes("m"),
        ...(letters.includes("r") ? { r: true } : {}),
        ...(letters.includes("p") ? { o: true } : {}),
        ...(letters.includes("k") ? { k: true } : {}),
        ...(letters.includes("z") ? { z: true } : {}),
      };
      expect({ number, name, type, flags }).toEqual(asGenerated(byNumber.get(number)!));
    }
  });

  test("every message is compared", () => {
    expect(Object.keys(messages).filter((name) => recorded[name] === undefined)).toEqual([]);
  });
});

test("enumerations are published for explain", () => {
  expect(publishedSchemas["io.k8s.api.apps.v1.DeploymentStrategy"]).toMatchObject({
    properties: { type: { enum: ["Recreate", "RollingUpdate"] } },
  });
});
