import type { Dice } from "#test/world/dice.ts";
import type { RequestQuestion } from "./request-question.ts";
import type { Sample } from "./sample-objects.ts";

const meta = "g=meta.k8s.io;v=v1";
const types = [
  ...["application/json", "application/json", "application/json", "application/yaml", "application/yaml"],
  ...["application/*", "*/*", "*", "text/html", "application/xml", "odd", "APPLICATION/JSON", "a/b/c", ""],
];
const parameters = [
  `as=Table;${meta}`,
  `as=Table;${meta}`,
  "as=Table;g=meta.k8s.io;v=v1beta1",
  `as=PartialObjectMetadata;${meta}`,
  `as=PartialObjectMetadataList;${meta}`,
  "as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1",
  `as=Odd;${meta}`,
  "as=Table",
  "g=meta.k8s.io",
  "as=APIGroupDiscoveryList;g=apidiscovery.k8s.io;v=v2",
  "as=APIGroupDiscoveryList;g=apidiscovery.k8s.io;v=v9",
  "profile=nopeer",
  "q=0",
  "q=0.5",
  "q=odd",
  "stream=watch",
  "stream=odd",
  "stream=",
  "sv=v1",
  "sv=v2",
  "pretty=1",
  "charset=utf-8",
  "a=b=c",
  "a",
];

/** An Accept header of one to three clauses. */
export function acceptHeader(dice: Dice): string {
  const clauses = Array.from({ length: 1 + dice.below(dice.happens(0.6) ? 1 : 3) }, () => {
    const chosen = dice.happens(0.6) ? [dice.of(parameters)] : [];
    if (dice.happens(0.2)) chosen.push(dice.of(parameters));
    return [dice.of(types), ...chosen].join(dice.happens(0.8) ? ";" : "; ");
  });
  return clauses.join(dice.happens(0.5) ? "," : ", ");
}

const paths = [
  ...["/api", "/apis", "/api/v1", "/apis/apps", "/apis/apps/v1", "/apis/cluster.karmada.io"],
  ...["/apis/cluster.karmada.io/v1alpha1", "/version", "/openapi/v2", "/openapi/v3/api/v1"],
  ...["/openapi/v3/apis/apps/v1", "/openapi/v3/apis/odd/v1", "/apis/odd", "/apis/odd/v1", "/apis/apps/v9", "/odd"],
  ...["/api/v1/odds", "/apis/apps/v1/odds/a", "/api/v9/pods", "/healthz", "/livez", "/readyz", "/"],
];

/** Anything under any Accept header: what is there and what is not, good requests and bad ones. */
export function formQuestion(sample: Sample, dice: Dice): RequestQuestion {
  const accept = acceptHeader(dice);
  if (dice.happens(0.3)) return { method: dice.of(["GET", "GET", "GET", "POST"]), path: dice.of(paths), accept };
  const question = resourceQuestion(sample, dice);
  // under lists of events Kubernetes' stream breaks off (K20)
  return {
    ...question,
    accept: question.path.includes("watch=") ? accept.replaceAll("MetadataList", "Metadata") : accept,
  };
}

const includes = ["", "", "None", "Metadata", "Object", "odd"];

function resourceQuestion({ collection, object }: Sample, dice: Dice): RequestQuestion {
  const name = dice.happens(0.85) ? object["metadata"].name : "missing";
  const include = dice.happens(0.25) ? `includeObject=${dice.of(includes)}` : "";
  const one = `${collection}/${name}`;
  const part = dice.happens(0.1) ? dice.of(["/status", "/scale", "/odd"]) : "";
  const dryRun = `dryRun=${dice.happens(0.9) ? "All" : "odd"}&${include}`;
  const contentType = dice.happens(0.9) ? "application/json" : dice.of(["text/plain", "application/yaml"]);
  const sent = {
    ...object,
    metadata: { ...object["metadata"], ...(dice.happens(0.2) ? { labels: { a: "b c" } } : {}) },
  };
  const fresh = { ...sent, metadata: { ...sent["metadata"], name: dice.happens(0.9) ? "new" : "Bad_Name" } };
  const patch = dice.happens(0.9) ? "application/merge-patch+json" : "application/json";
  return dice.of<RequestQuestion>([
    { method: "GET", path: `${one}${part}?${include}` },
    { method: "GET", path: `${one}${part}?${include}` },
    { method: "GET", path: `${collection}?limit=1&${include}` },
    { method: "GET", path: `${collection}?limit=1&${include}` },
    { method: "GET", path: `${collection}?labelSelector=a%3D%3D%3D&${include}` },
    { method: "GET", path: `${collection}?watch=true&resourceVersion=odd&${include}` },
    { method: "POST", path: `${collection}?${dryRun}`, contentType, body: JSON.stringify(fresh) },
    { method: "PUT", path: `${one}${part}?${dryRun}`, contentType, body: JSON.stringify(sent) },
    { method: "PATCH", path: `${one}${part}?${dryRun}`, contentType: patch, body: '{"metadata":{"labels":{"a":"b"}}}' },
    { method: "DELETE", path: `${one}?${dryRun}` },
    { method: "DELETE", path: `${collection}?${dryRun}&fieldSelector=metadata.name%3Da` },
    {
      method: "GET",
      path: `${collection}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3D${name}&${include}`,
    },
  ]);
}
