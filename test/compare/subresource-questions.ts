import type { Fields } from "#api/meta/object-meta.ts";
import type { SchemaNode } from "#schema/schema-node.ts";
import type { Dice } from "#test/world/dice.ts";
import { Mutator } from "./mutate-object.ts";
import { dryRun } from "./object-questions.ts";
import type { RequestQuestion } from "./request-question.ts";
import type { Sample } from "./sample-objects.ts";

/** A write of a status, by any way there is. */
export function statusQuestion({ collection, object, type }: Sample, dice: Dice): RequestQuestion {
  const mutator = new Mutator(dice);
  const node = type.schema.properties?.["status"];
  const status = node === undefined ? {} : mutator.value(node);
  const whole = { ...object, status };
  const body = dice.happens(0.5) ? whole : mutator.mutated(whole, type.schema);
  return written(`${collection}/${object["metadata"].name}/status`, body, dice);
}

const text: SchemaNode = { type: "string" };
const count: SchemaNode = { type: "integer", format: "int32" };
const scaleSchema: SchemaNode = {
  type: "object",
  properties: {
    metadata: {
      type: "object",
      properties: { name: text, namespace: text, uid: text, resourceVersion: text, labels: { type: "object" } },
    },
    spec: { type: "object", properties: { replicas: count } },
    status: { type: "object", properties: { replicas: count, selector: text } },
  },
};

/** A read or a write of a scale, of things that have one and of things that have none. */
export function scaleQuestion({ collection, object }: Sample, dice: Dice): RequestQuestion {
  const { name, namespace } = object["metadata"];
  const path = `${collection}/${name}/scale`;
  if (dice.happens(0.1)) return { method: dice.of(["GET", "POST", "DELETE"]), path: `${path}?${dryRun(dice)}` };
  const scale = {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    spec: { replicas: dice.below(4) },
  };
  const isOdd = dice.happens(0.1);
  const body = new Mutator(dice).mutated(isOdd ? { ...scale, kind: dice.of(["", "Odd", "Pod"]) } : scale, scaleSchema);
  return written(path, body, dice);
}

const patches = [
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/json-patch+json",
  "application/apply-patch+yaml",
];

function written(path: string, body: Fields, dice: Dice): RequestQuestion {
  const query = `${path}?${dryRun(dice)}`;
  if (dice.happens(0.4)) return { method: "PUT", path: query, body: JSON.stringify(body) };
  const contentType = dice.of(patches);
  const parts = Object.entries(body).map(([part, value]) => ({ op: "add", path: `/${part}`, value }));
  const sent = contentType.includes("json-patch") ? dice.some(parts) : body;
  return { method: "PATCH", path: `${query}&fieldManager=m`, contentType, body: JSON.stringify(sent) };
}

const optionsSchema: SchemaNode = {
  type: "object",
  properties: {
    gracePeriodSeconds: { type: "integer", format: "int64" },
    preconditions: { type: "object", properties: { uid: text, resourceVersion: text } },
    orphanDependents: { type: "boolean" },
    propagationPolicy: { type: "string", enum: ["Foreground", "Background", "Orphan"] },
    unknownField: text,
  },
};

/** Each server has objects of its own in the namespace default. */
const madeByServers = "metadata.name!=kubernetes,metadata.name!=default,metadata.name!=kube-root-ca.crt";

/** A deletion of one or of all with options in its body; all of them dry runs, or refused for being none. */
export function deleteQuestion({ collection, object }: Sample, dice: Dice): RequestQuestion {
  const mutator = new Mutator(dice);
  const options = {
    kind: dice.happens(0.9) ? "DeleteOptions" : dice.of(["", "Odd", "Pod", 1]),
    apiVersion: dice.happens(0.9) ? "v1" : dice.of(["", "odd/v1", "meta.k8s.io/v1", "a/b/c"]),
    ...(mutator.mutated({ gracePeriodSeconds: 0, preconditions: {} }, optionsSchema) as Fields),
    dryRun: dice.happens(0.85) ? ["All"] : dice.of<unknown>([["odd"], "All", [1], ["All", "All"], ["All", ""]]),
  };
  const whole = JSON.stringify(options);
  const name = dice.happens(0.9) ? object["metadata"].name : "missing";
  const chosen = dice.happens(0.3) ? `&labelSelector=${dice.of(["a", "a%3Db", "a%3D%3D%3D", "%21"])}` : "";
  const selector = `?fieldSelector=${encodeURIComponent(madeByServers)}${chosen}`;
  const path = dice.happens(0.7) ? `${collection}/${name}` : `${collection}${selector}`;
  const contentType = dice.happens(0.9) ? "application/json" : dice.of(["application/yaml", "text/plain"]);
  const isWhole = dice.happens(0.93) || contentType === "application/yaml"; // K16
  const body = isWhole ? whole : whole.slice(0, 1 + dice.below(whole.length - 1));
  return { method: "DELETE", path, contentType, body };
}
