import type { Fields } from "#api/meta/object-meta.ts";
import type { Dice } from "#test/world/dice.ts";
import { dryRun } from "./object-questions.ts";
import type { RequestQuestion } from "./request-question.ts";
import type { Sample } from "./sample-objects.ts";

const atoms = [
  ...["object", "oldObject", "request", "authorizer", "namespaceObject", "x", "1", "2u", "1.5", "'a'", '"b"', "true"],
  ...["null", "[]", "[1, 2]", "{}", "{'a': 1}", "object.metadata.name", "request.operation", "b'x'", "r'\\d'", "-1"],
  ...["object.spec.list[0]", "size(object.a)", "has(object.a)", "'a'.startsWith('b')", "string(1)", "(true)"],
  ...["object.items.all(i, i > 1)", "object.items.exists(i, j == 1)", "[1].map(i, i)", "if", "for.a", "a.b.c"],
];
const operators = ["==", "!=", "&&", "||", "<", "in", "+", "*", "?", ":", ".", ",", "&", ""];
const faults = ["(", ")", "[", "]", "'", '"', "{", "}", "..", "é", "=", "#", "//x", "\n"];

/** Such as people write; all of them are good. */
export const goodExpressions = [
  "!(request.resource.group == 'coordination.k8s.io' && request.resource.resource == 'leases')",
  "!('system:nodes' in request.userInfo.groups)",
  "authorizer.group('a').resource('b').name('c').check('d').allowed()",
  "authorizer.requestResource.check('x').allowed()",
  "object.metadata.labels.exists(k, k == 'a')",
  "has(object.spec.x) && object.spec.x > 5",
  "object.spec.containers.all(c, c.image.startsWith('x') || c.name in ['a', 'b'])",
  "request.name.matches('^a') && size(request.userInfo.groups) > 0",
  "object.metadata.?labels.?foo.orValue('x') == 'y'",
  "timestamp(object.metadata.creationTimestamp) > timestamp('2020-01-01T00:00:00Z')",
  "duration('1h') < duration('2h')",
  "quantity(object.spec.x).isGreaterThan(quantity('5'))",
  "request.operation in ['CREATE', 'UPDATE'] // a comment",
  "object.spec.replicas == 3 ? true : false",
  "[1, 2, 3].map(x, x * 2).exists(y, y == 4)",
  "{'a': 1}.a == 1 && 'a' in {'a': 1}",
  "object == null || oldObject != null || !!request.dryRun",
  "sets.contains([1], [1])",
  "'a,b'.split(',').size() == 2 && string(1) == '1'",
  "1 < 2.0 && 1u < 2 && -1 < 0 && 'a' + 'b' == 'ab'",
  "namespaceObject.metadata.labels['env'] == 'prod'",
  "namespaceObject.metadata.creationTimestamp < timestamp('2020-01-01T00:00:00Z')",
  "ip('1.2.3.4').family() == 4 || isIP('x')",
  'object.a.b[0].c[1].d == "x" ||\n  object.list.filter(i, i.x).size() > 0',
  "object.list.map(i, i.x > 1, i.y).exists_one(z, z == 'a')",
  "type(object.a) == string || int('1') == 1 || b'a' == bytes('a')",
  "[1, 2].size() == 2 && [[1], []].size() == 2 && {1: 'a', 2: 'b'}[1] == 'a'",
  "object.spec.a[?0].hasValue() || optional.of(1).hasValue()",
  "'%s'.format(['a']) == 'a' && r'a\\d' != '''b'''",
];

/** A webhook that is called under a random condition. */
export function expressionQuestion({ collection, object }: Sample, dice: Dice): RequestQuestion {
  const hook: Fields = {
    name: "a.example.com",
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    clientConfig: { url: "https://a.example.com" },
    matchConditions: [{ name: "a", expression: expression(dice) }],
  };
  const { apiVersion, kind } = object;
  const body = { apiVersion, kind, metadata: { name: "new" }, webhooks: [hook] };
  return { method: "POST", path: `${collection}?${dryRun(dice)}`, body: JSON.stringify(body) };
}

function expression(dice: Dice): string {
  if (dice.happens(0.2)) return dice.of(goodExpressions);
  let text = dice.of(atoms);
  for (let count = dice.below(3); count > 0; count--) {
    const operator = dice.of(operators);
    text =
      operator === "?" ? `${text} ? ${dice.of(atoms)} : ${dice.of(atoms)}` : `${text} ${operator} ${dice.of(atoms)}`;
    if (dice.happens(0.2)) text = `!(${text})`;
  }
  if (dice.happens(0.7)) return text;
  const place = dice.below(text.length + 1);
  return `${text.slice(0, place)}${dice.of(faults)}${text.slice(place)}`;
}
