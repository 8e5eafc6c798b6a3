import type { Fields } from "#api/meta/object-meta.ts";
import { Dice } from "#test/world/dice.ts";
import { definitionQuestion } from "./definition-questions.ts";
import { expressionQuestion } from "./expression-questions.ts";
import { formQuestion } from "./form-questions.ts";
import {
  applyQuestion,
  createQuestion,
  deepQuestion,
  dryRun,
  jsonPatchQuestion,
  patchQuestion,
  updateQuestion,
} from "./object-questions.ts";
import { pathQuestion, specialQuestion } from "./path-questions.ts";
import type { QuestionMaker, RequestQuestion } from "./request-question.ts";
import type { Sample } from "./sample-objects.ts";
import { deleteQuestion, scaleQuestion, statusQuestion } from "./subresource-questions.ts";

export const requestAreas = [
  "create",
  "update",
  "deep",
  "expressions",
  "json-patch",
  "merge-patch",
  "strategic-patch",
  "apply",
  "selector",
  "options",
  "body",
  "status",
  "scale",
  "delete",
  "forms",
  "definitions",
  "paths",
  "special",
  "custom-create",
  "custom-update",
  "custom-patch",
  "custom-apply",
  "custom-status",
  "custom-forms",
  "custom-selector",
  "custom-delete",
  "custom-options",
  "custom-body",
  "custom-scale",
  "custom-paths",
] as const;
export type RequestArea = (typeof requestAreas)[number];

/** A random request of an area; the same for the same seed and samples. */
export function requestQuestion(area: RequestArea, samples: readonly Sample[], seed: number): RequestQuestion {
  const dice = new Dice(seed);
  const asked = area === "expressions" ? samples.filter(({ object }) => object["webhooks"] !== undefined) : samples;
  return makers[area](dice.of(asked), dice);
}

/** What areas ask about: custom resources, or built-in kinds. */
export function isAboutCustom(area: RequestArea): boolean {
  return area.startsWith("custom-");
}

const makers: Readonly<Record<RequestArea, QuestionMaker>> = {
  create: createQuestion,
  update: updateQuestion,
  deep: deepQuestion,
  expressions: expressionQuestion,
  "json-patch": jsonPatchQuestion,
  "merge-patch": patchQuestion("application/merge-patch+json"),
  "strategic-patch": patchQuestion("application/strategic-merge-patch+json"),
  apply: applyQuestion,
  selector: selectorQuestion,
  options: optionsQuestion,
  body: bodyQuestion,
  status: statusQuestion,
  scale: scaleQuestion,
  delete: deleteQuestion,
  forms: formQuestion,
  definitions: definitionQuestion,
  paths: pathQuestion,
  special: specialQuestion,
  "custom-create": createQuestion,
  "custom-update": updateQuestion,
  "custom-patch": (sample, dice) =>
    (dice.happens(0.5) ? jsonPatchQuestion : patchQuestion("application/merge-patch+json"))(sample, dice),
  "custom-apply": applyQuestion,
  "custom-status": statusQuestion,
  "custom-forms": formQuestion,
  "custom-selector": selectorQuestion,
  "custom-delete": deleteQuestion,
  "custom-options": optionsQuestion,
  "custom-body": bodyQuestion,
  "custom-scale": scaleQuestion,
  "custom-paths": pathQuestion,
};

const selectors = [
  "a=b",
  "a==b,c!=d",
  "a in (b,c)",
  "a notin (b)",
  "a",
  "!a",
  "a=",
  "=b",
  "a=b=c",
  "a in",
  "a in (",
  "a in ()",
  "a in (b",
  "a,,b",
  ",",
  "a>1",
  "a>x",
  "a<2",
  "é=b",
  "a=é",
  `${"a".repeat(70)}=b`,
  "a/b/c=d",
  "-a=b",
  "a in (b),c",
  "(a)",
  "a b",
  "a!b",
  "!a=b",
  "a=b,",
  "a notin",
  "a gt 1",
  "A.b/c=d",
  "a=B_c",
  "a=-b",
  "a in (-b)",
  "in=a",
  "a==",
  "a!=",
  "!",
];
const fields = [
  "metadata.name=a",
  "metadata.namespace=default",
  "metadata.name!=a",
  "metadata.name==a",
  "spec.nodeName=a",
  "status.phase=Running",
  "status.phase=Running,metadata.name=b",
  "odd=a",
  "metadata.uid=a",
  "metadata.name",
  "metadata.name=a=b",
  "=",
  "=a",
  "metadata.name=a,",
  ",",
  "metadata.name=a\\,b",
  "metadata.name=a\\x",
  "type=Opaque",
  "spec.type=ClusterIP",
  "reason=R",
  "involvedObject.name=p",
  "spec.unschedulable=true",
  "metadata.labels=a",
  "metadata.name in (a)",
  "!metadata.name",
  "metadata.name>a",
  "status.successful=1",
  "status.replicas=1",
  "involvedObject.fieldPath=a",
];

function selectorQuestion({ collection }: Sample, dice: Dice): RequestQuestion {
  return { method: "GET", path: `${collection}?${selectorQuery(dice)}` };
}

function selectorQuery(dice: Dice): string {
  const parts: string[] = [];
  if (dice.happens(0.6)) parts.push(`labelSelector=${encodeURIComponent(dice.of(selectors))}`);
  if (parts.length === 0 || dice.happens(0.3)) parts.push(`fieldSelector=${encodeURIComponent(dice.of(fields))}`);
  return parts.join("&");
}

const options: Readonly<Record<string, readonly string[]>> = {
  dryRun: ["All", "all", "", "All&dryRun=All", "None"],
  fieldValidation: ["Strict", "strict", "", "Odd"],
  fieldManager: ["m", "", "m".repeat(130), "a%07", "é"],
  force: ["true", "false", "odd", ""],
  limit: ["1", "0", "-1", "odd", "99999999999999999999"],
  continue: ["", "odd", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhIn0"],
  resourceVersion: ["0", "", "1", "odd", "-1", "999999999"],
  resourceVersionMatch: ["Exact", "NotOlderThan", "odd", ""],
  timeoutSeconds: ["1", "odd", "-1"],
  propagationPolicy: ["Foreground", "Background", "Orphan", "odd", ""],
  gracePeriodSeconds: ["0", "-1", "odd", "30"],
  orphanDependents: ["true", "odd"],
  pretty: ["true", "odd"],
  sendInitialEvents: ["true", "odd"],
  allowWatchBookmarks: ["true", "odd"],
  unknownOption: ["a"],
};

function optionsQuestion({ collection, object }: Sample, dice: Dice): RequestQuestion {
  const method = dice.of([
    "GET",
    "GET",
    "LIST",
    "LIST",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "DELETE",
    "DELETECOLLECTION",
  ]);
  const isCollection = method === "LIST" || method === "POST" || method === "DELETECOLLECTION";
  const names = dice.some(Object.keys(options)).slice(0, 1 + dice.below(3));
  const query = names.map((name) => `${name}=${dice.of(options[name]!)}`);
  const isWrite = method !== "GET" && method !== "LIST";
  if (isWrite && !names.includes("dryRun")) query.push("dryRun=All");
  if (isWrite && names.includes("dryRun") && !query.some((part) => /^dryRun=(All|all|None)/.test(part)))
    query.push("dryRun=Odd");
  const name = dice.happens(0.85) ? object["metadata"].name : dice.of(["missing", "Bad_Name", "a%2Fb"]);
  const part = dice.happens(0.06) ? dice.of(["/status", "/scale", "/odd"]) : "";
  const isNamedCreate = method === "POST" && collection.includes("karmada"); // K20
  const path = `${collection}${isCollection ? "" : `/${name}`}${isNamedCreate ? "" : part}`;
  const wire = method === "LIST" ? "GET" : method === "DELETECOLLECTION" ? "DELETE" : method;
  const body = bodyOf(method, object, dice);
  return {
    method: wire,
    path: `${path}?${query.join("&")}`,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(dice.happens(0.15) ? { accept: dice.of(accepts) } : {}),
    ...(method === "PATCH"
      ? {
          contentType: dice.of([
            "application/merge-patch+json",
            "application/strategic-merge-patch+json",
            "application/apply-patch+yaml",
            "application/json",
          ]),
        }
      : {}),
  };
}

const asMeta = "v=v1;g=meta.k8s.io";
const accepts = [
  "application/xml",
  "text/*",
  "odd",
  "*/*",
  "application/xml, application/json;q=0.5",
  "application/json;charset=utf-8",
  "application/json;stream=odd",
  `application/json;as=Odd;${asMeta}`,
  "application/json;as=Table;v=v9;g=meta.k8s.io",
  `application/json;as=Table;${asMeta}`,
];

function bodyOf(method: string, object: Fields, dice: Dice): unknown {
  if (method === "POST")
    return { ...object, metadata: { ...object["metadata"], name: dice.of(["new", object["metadata"].name]) } };
  if (method === "PUT") return object;
  if (method === "PATCH" && dice.happens(0.1)) return dice.of<unknown>([[], [{}], null, 1, "a"]);
  if (method === "PATCH") return { metadata: { labels: { a: "b" } } };
  if (!method.startsWith("DELETE") || dice.happens(0.5)) return undefined;
  // whoever sends options sends all of them: the query does not count then
  const dryRun = ["All"];
  return dice.of<unknown>([
    { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "odd", dryRun },
    { preconditions: { uid: "x" }, dryRun },
    { preconditions: { resourceVersion: "1" }, dryRun },
    { gracePeriodSeconds: -1, dryRun },
    { gracePeriodSeconds: "odd", dryRun },
    { orphanDependents: true, propagationPolicy: "Foreground", dryRun },
    { dryRun: ["odd"] },
    { kind: "Pod", apiVersion: "v1", dryRun },
    { unknown: 1, dryRun },
    [],
  ]);
}

function bodyQuestion({ collection, object }: Sample, dice: Dice): RequestQuestion {
  const text = JSON.stringify({ ...object, metadata: { ...object["metadata"], name: "new" } });
  const at = dice.below(text.length);
  const bodies: readonly string[] = [
    text.slice(0, at),
    `${text.slice(0, at)}${dice.of(["}", "]", ",", '"', "x", "\\", "1", "\u0001", "é"])}${text.slice(at)}`,
    `${text.slice(0, at)}${text.slice(at + 1)}`,
    text.replace(/"kind":"[^"]*"/, `"kind":${dice.of(['""', '"Odd"', "1", "null", '"Pod"', '"List"'])}`),
    text.replace(
      /"apiVersion":"[^"]*"/,
      `"apiVersion":${dice.of(['""', '"v9"', "1", '"odd/v1"', '"a/b/c"', '"apps/v1"'])}`,
    ),
    text.replace(
      /"name":"new"/,
      `"name":${dice.of(['"Bad_Name"', '""', "null", '"a/b"', `"${"a".repeat(260)}"`, '"new","generateName":"Bad_"', '"new","namespace":"other"', '"new","labels":{"a b":"c"}', '"new","annotations":{"a":1}', '"new","finalizers":["a b"]', '"new","ownerReferences":[{}]', '"new","uid":"x"', '"new","resourceVersion":"1"', '"new","generation":-1', '"new","deletionTimestamp":"odd"', '"new","managedFields":[{"operation":"odd"}]', '"new","creationTimestamp":5'])}`,
    ),
    dice.of(["", "[]", "null", "1", '"a"', "{}", "{", "[{}]", "\u0000", "a: b", "---", '{"kind":"Status"}']),
  ];
  const contentType = dice.of([
    "application/json",
    "application/json",
    "application/json",
    "application/yaml",
    "text/plain",
    "application/json; charset=utf-8",
    "application/xml",
    "application/vnd.kubernetes.protobuf",
  ]);
  const body = dice.of(bodies);
  // what is no JSON under the name of YAML is told in the words of the YAML parser, which are not ours (K16)
  const isYaml = contentType === "application/yaml" && (bodies.indexOf(body) < 3 || body === "{" || body === "\u0000");
  const path = `${collection}?${dryRun(dice)}`;
  return { method: "POST", path, contentType: isYaml ? "application/json" : contentType, body };
}
