import type { Fields } from "#api/meta/object-meta.ts";
import type { Dice } from "#test/world/dice.ts";
import { dryRun } from "./object-questions.ts";
import type { RequestQuestion } from "./request-question.ts";

const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const texts = ["", "a", "A", "Gadget", "gadgets", "a b", "v1", "v2", "-", "é", "a".repeat(70), "1a"];
const paths = [
  ...["", ".", ".spec.replicas", ".status.replicas", "spec.replicas", ".spec", ".status.selector", ".metadata.name"],
  ...[
    ".spec.color",
    ".spec.size",
    ".spec.parts",
    ".spec.parts[0]",
    ".spec.none",
    ".spec.",
    "..",
    ".spec['color']",
    ".a",
  ],
  ...[".spec.color", ".spec.size", ".spec.on", ".spec.extra.a", ".status.phase", ".kind"],
];

/** A definition with faults that only definitions have: made anew, or of one that is there. */
export function definitionQuestion(_: unknown, dice: Dice): RequestQuestion {
  const isNew = dice.happens(0.7);
  const definition = soundDefinition(dice, isNew ? "gadgets" : "webs");
  for (let count = 1 + dice.below(3); count > 0; count--) dice.of(faults)(definition, dice);
  const body = JSON.stringify(definition);
  if (isNew) return { method: "POST", path: `${collection}?${dryRun(dice)}`, body };
  const path = `${collection}/webs.example.com?${dryRun(dice)}`;
  const sent = { method: "PATCH", path: `${path}&fieldManager=m&force=true`, body };
  return { ...sent, contentType: dice.of(["application/merge-patch+json", "application/apply-patch+yaml"]) };
}

function soundDefinition(dice: Dice, plural: string): Fields {
  const names = ["v1", "v2", "v1beta1"].slice(0, 1 + dice.below(3));
  const shared = dice.happens(0.5) ? soundVersion(dice) : undefined;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural, kind: plural === "webs" ? "Web" : "Gadget" },
      versions: names.map((name, index) => ({
        ...structuredClone(shared ?? soundVersion(dice)),
        ...{ name, served: true, storage: index === 0 },
      })),
    },
  };
}

function soundVersion(dice: Dice): Fields {
  const text = { type: "string" };
  const parts = { type: "array", items: text };
  const extra = { type: "object", additionalProperties: text };
  const properties = { color: text, size: { type: "integer" }, on: { type: "boolean" }, parts, extra };
  const status = { type: "object", properties: { phase: text } };
  const schema = { type: "object", properties: { spec: { type: "object", properties }, status } };
  return {
    schema: { openAPIV3Schema: schema },
    ...(dice.happens(0.3) ? { subresources: { status: {} } } : {}),
    ...(dice.happens(0.2) ? { selectableFields: [{ jsonPath: ".spec.color" }] } : {}),
    ...(dice.happens(0.2)
      ? { additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: ".spec.color" }] }
      : {}),
  };
}

type Fault = (definition: Fields, dice: Dice) => void;

/** A fault in one version, or in all of them. */
function inVersions(fault: (version: Fields, dice: Dice) => void): Fault {
  return ({ spec }, dice) => {
    const versions: readonly Fields[] = Array.isArray(spec?.versions) ? spec.versions : [];
    if (versions.length === 0) return;
    if (dice.happens(0.5)) fault(dice.of(versions), dice);
    else {
      const model: Fields = {};
      fault(model, dice);
      for (const version of versions) Object.assign(version, structuredClone(model));
    }
  };
}

function rootSchema(version: Fields): Fields {
  version["schema"] ??= {};
  version["schema"].openAPIV3Schema ??= { type: "object" };
  return version["schema"].openAPIV3Schema;
}

const faults: readonly Fault[] = [
  ({ spec }, dice) => {
    spec.versions = dice.of<unknown>([[], null, undefined, [{}], [{ name: "v1", served: true, storage: true }]]);
  },
  inVersions((version, dice) => {
    version["name"] = dice.of(texts);
  }),
  inVersions((version, dice) => {
    version[dice.of(["served", "storage", "deprecated"])] = dice.of<unknown>([true, false, null, undefined]);
  }),
  inVersions((version, dice) => {
    version["deprecationWarning"] = dice.of<unknown>(["", "x", "a\u0007b", "y".repeat(300), null]);
    if (dice.happens(0.7)) version["deprecated"] = true;
  }),
  inVersions((version, dice) => {
    version["schema"] = dice.of<unknown>([null, undefined, {}, { openAPIV3Schema: null }, { openAPIV3Schema: {} }]);
  }),
  inVersions((version, dice) => {
    const schema = rootSchema(version);
    Object.assign(
      schema,
      dice.of<Fields>([
        ...[{ nullable: true }, { type: "string" }, { type: "" }, { minProperties: 1 }, { enum: [{}] }, { title: "T" }],
        ...[
          { format: "odd" },
          { format: "date" },
          { required: ["spec"] },
          { default: {} },
          { additionalProperties: true },
        ],
      ]),
    );
  }),
  inVersions((version, dice) => {
    rootSchema(version)["properties"] = { a: { type: "string", format: dice.of(["odd", "strange", "date", "ipv4"]) } };
  }),
  inVersions((version, dice) => {
    const scale: Fields = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
    if (dice.happens(0.6)) scale["specReplicasPath"] = dice.of(paths);
    if (dice.happens(0.6)) scale["statusReplicasPath"] = dice.of(paths);
    if (dice.happens(0.5)) scale["labelSelectorPath"] = dice.of<unknown>([...paths, null]);
    version["subresources"] = dice.of<unknown>([{ scale }, { scale }, { scale, status: {} }, { scale: {} }, {}, null]);
  }),
  inVersions((version, dice) => {
    version["additionalPrinterColumns"] = Array.from({ length: dice.below(3) }, () => ({
      name: dice.of(texts),
      type: dice.of(["string", "date", "odd", "", "integer"]),
      ...(dice.happens(0.3) ? { format: dice.of(["odd", "int32", ""]) } : {}),
      ...(dice.happens(0.9) ? { jsonPath: dice.of(paths) } : {}),
      ...(dice.happens(0.2) ? { priority: dice.of([-1, 0, 1]) } : {}),
    }));
  }),
  inVersions((version, dice) => {
    version["selectableFields"] = Array.from({ length: dice.happens(0.1) ? 10 : dice.below(4) }, () => ({
      ...(dice.happens(0.95) ? { jsonPath: dice.of(paths) } : {}),
    }));
  }),
  ({ spec }, dice) => {
    const clientConfig = dice.of<unknown>([
      ...[undefined, {}, { url: "https://a.b" }, { url: "http://a.b" }, { url: "odd" }, { url: "https://u:p@a?b#c" }],
      ...[
        { service: { namespace: "n", name: "s" } },
        { service: {} },
        { service: { namespace: "n", name: "s", port: 0 } },
      ],
      ...[
        { url: "https://a.b", service: { namespace: "n", name: "s" } },
        { url: "https://a.b", caBundle: "YQ==" },
      ],
    ]);
    const conversionReviewVersions = dice.of<unknown>([["v1"], [], undefined, ["v9"], ["v1", "v1"], ["V_1"], [""]]);
    const webhook = dice.happens(0.8) ? { clientConfig, conversionReviewVersions } : undefined;
    spec.conversion = { strategy: dice.of(["None", "Webhook", "Webhook", "Odd", "", undefined]), webhook };
  },
  ({ spec }, dice) => {
    spec.preserveUnknownFields = dice.of<unknown>([true, false, null]);
  },
  ({ spec }, dice) => {
    spec.names = dice.happens(0.1) ? dice.of<unknown>([null, undefined, {}]) : { ...spec.names };
    if (spec.names == null) return;
    spec.names[dice.of(["plural", "singular", "kind", "listKind"])] = dice.of<unknown>([...texts, null, undefined]);
  },
  ({ spec }, dice) => {
    spec.names = { ...spec.names, [dice.of(["shortNames", "categories"])]: dice.some(texts).slice(0, 3) };
  },
  ({ spec, metadata }, dice) => {
    spec.group = dice.of(["", "a", "example.k8s.io", "example.kubernetes.io", "A.b", "a..b", "example.org"]);
    if (dice.happens(0.7)) metadata.name = `${spec.names?.plural}.${spec.group}`;
    const approval = dice.of<unknown>([undefined, "https://github.com/a/b", "unapproved, x", "odd", "", "http://a"]);
    if (dice.happens(0.6)) metadata.annotations = { "api-approved.kubernetes.io": approval };
  },
  ({ spec }, dice) => {
    spec.scope = dice.of<unknown>(["", "Cluster", "odd", null, undefined]);
  },
  ({ spec }, dice) => {
    const old = { version: "v1", validation: { openAPIV3Schema: {} }, subresources: {}, additionalPrinterColumns: [] };
    const part = dice.of(Object.keys(old) as (keyof typeof old)[]); // its own
    spec[part] = old[part];
  },
  (definition, dice) => {
    definition["status"] = dice.of<unknown>([{ storedVersions: ["v9"] }, { storedVersions: [] }, {}, null, { odd: 1 }]);
  },
];
