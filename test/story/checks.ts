import { expect } from "vitest";
import type { Fields } from "#api/meta/object-meta.ts";
import { bindingPathOf, pathOf } from "./cast.ts";
import { fieldsIn, namesIn, type Phrase, type Play, stateOf, whereIs } from "./play.ts";

/** What a story can say of the fleet. */
export const checks: readonly Phrase[] = [
  {
    says: /^(.+) runs (?:on )?(nowhere|[\w, -]+)$/,
    async run(play, [who, clusters]) {
      expect(await whereIs(play, play.cast.find(who!)), `where ${who} runs`).toEqual([...namesIn(clusters)].toSorted());
    },
  },
  {
    says: /^(.+) has (\d+) replicas on (\S+)$/,
    async run(play, [who, replicas, member]) {
      const found = await play.stage.member(member!).get(pathOf(play.cast.find(who!)));
      expect((found?.["spec"] as Fields | undefined)?.["replicas"], `replicas of ${who} on ${member}`).toBe(
        Number(replicas),
      );
    },
  },
  {
    says: /^(.+) has the image (\S+) on ([\w, -]+)$/,
    async run(play, [who, image, members]) {
      for (const member of namesIn(members)) {
        const found = await play.stage.member(member).get(pathOf(play.cast.find(who!)));
        expect(found, `${who} on ${member}`).toMatchObject({
          spec: { template: { spec: { containers: [{ image }] } } },
        });
      }
    },
  },
  { says: /^(.+) is claimed by nobody$/, run: (play, [who]) => claimed(play, who!, undefined) },
  {
    says: /^(.+) is claimed by (?:policy |cluster policy )?(\S+)$/,
    run: (play, [who, policy]) => claimed(play, who!, policy!),
  },
  {
    says: /^nothing moves$/,
    async run({ stage, before }) {
      expect(await stateOf(stage)).toBe(before);
    },
  },
  {
    says: /^the binding of (.+) says (\{.*\})$/,
    run: (play, [who, fields]) => says(play, bindingPathOf(play.cast.find(who!)), fieldsIn(fields)),
  },
  {
    says: /^(.+) follows (nobody|[\w, -]+)$/,
    async run(play, [who, followed]) {
      const binding = await play.stage.controlPlane.get(bindingPathOf(play.cast.find(who!)));
      const { requiredBy = [] } = (binding?.["spec"] ?? {}) as { requiredBy?: readonly { name: string }[] };
      const names = followed === "nobody" ? [] : namesIn(followed);
      const expected = names.map((each) => bindingPathOf(play.cast.find(each)).split("/").at(-1));
      expect(
        requiredBy.map(({ name }) => name),
        `whom ${who} follows`,
      ).toEqual(expected);
    },
  },
  {
    says: /^the binding of (\S+) has (no|the) finalizer (\S+)$/,
    async run(play, [who, has, finalizer]) {
      const binding = await play.stage.controlPlane.get(bindingPathOf(play.cast.find(who!)));
      const { finalizers = [] } = (binding?.["metadata"] ?? {}) as { finalizers?: readonly string[] };
      expect(finalizers.includes(finalizer!), `${finalizers.join(", ")} of ${who}`).toBe(has === "the");
    },
  },
  {
    says: /^(\S+(?: \S+)?) has no binding$/,
    async run(play, [who]) {
      expect(await play.stage.controlPlane.get(bindingPathOf(play.cast.find(who!)))).toBeUndefined();
    },
  },
  {
    says: /^the condition (\w+) of the binding of (.+) is (True|False)(?:, (\w+))?$/,
    async run(play, [type, who, status, reason]) {
      const binding = await play.stage.controlPlane.get(bindingPathOf(play.cast.find(who!)));
      expect(conditionOf(binding, type!), type).toMatchObject({ status, ...(reason && { reason }) });
    },
  },
  {
    says: /^the binding of (.+) has no condition (\w+)$/,
    async run(play, [who, type]) {
      const binding = await play.stage.controlPlane.get(bindingPathOf(play.cast.find(who!)));
      expect(conditionOf(binding, type!)).toBeUndefined();
    },
  },
  {
    says: /^the work of (.+) in (\S+) says (\{.*\})$/,
    async run(play, [who, member, fields]) {
      expect(await workOf(play, who!, member!), `the work of ${who} in ${member}`).toMatchObject(fieldsIn(fields));
    },
  },
  {
    says: /^the condition (\w+) of the work of (.+) in (\S+) is (True|False|absent)(?:, (\w+))?$/,
    async run(play, [type, who, member, status, reason]) {
      const condition = conditionOf(await workOf(play, who!, member!), type!);
      if (status === "absent") expect(condition).toBeUndefined();
      else expect(condition, type).toMatchObject({ status, ...(reason && { reason }) });
    },
  },
  {
    says: /^(.+) has no work in (\S+)$/,
    async run(play, [who, member]) {
      expect(await workOf(play, who!, member!)).toBeUndefined();
    },
  },
  {
    says: /^there (?:is|are) (\d+) (\w+) events? on (.+)$/,
    async run(play, [count, reason, who]) {
      expect(await eventsOn(play, await subjectOfEvents(play, who!), reason!), `events ${reason}`).toHaveLength(
        Number(count),
      );
    },
  },
  {
    says: /^there is an event (\w+) on (.+)$/,
    async run(play, [reason, who]) {
      expect(await eventsOn(play, await subjectOfEvents(play, who!), reason!), `an event ${reason}`).not.toHaveLength(
        0,
      );
    },
  },
  {
    says: /^it is refused: (.+)$/,
    async run(play, [text]) {
      const { refusal } = play;
      play.refusal = undefined;
      expect(refusal ?? "it was accepted").toContain(text);
    },
  },
  {
    says: /^(.+) in (\S+) says (\{.*\})$/,
    async run(play, [who, member, fields]) {
      const found = await play.stage.member(member!).get(pathOf(play.cast.find(who!)));
      expect(found, `${who} in ${member}`).toMatchObject(fieldsIn(fields));
    },
  },
  {
    says: /^policy (\S+) is gone$/,
    async run({ stage, policies }, [name]) {
      const { policyPath } = await import("./policy-sketch.ts");
      expect(await stage.controlPlane.get(policyPath(policies.get(name!)!))).toBeUndefined();
    },
  },
  {
    says: /^(\S+(?: \S+)?) says (\{.*\})$/,
    run: (play, [who, fields]) => says(play, pathOf(play.cast.find(who!)), fieldsIn(fields)),
  },
];

async function says({ stage }: Play, path: string, fields: object): Promise<void> {
  expect(await stage.controlPlane.get(path), path).toMatchObject(fields);
}

/** The template and its binding agree on who claims them. */
async function claimed(play: Play, who: string, policy: string | undefined): Promise<void> {
  const subject = play.cast.find(who);
  for (const path of [pathOf(subject), bindingPathOf(subject)]) {
    const found = await play.stage.controlPlane.get(path);
    if (found === undefined && policy === undefined) continue;
    expect(claimantOf(found), `who claims ${path}`).toBe(policy);
  }
}

function claimantOf(object: Fields | undefined): string | undefined {
  const { annotations = {}, labels = {} } = (object?.["metadata"] ?? {}) as {
    annotations?: Record<string, string>;
    labels?: Record<string, string>;
  };
  const names = ["propagationpolicy", "clusterpropagationpolicy"].flatMap((kind) => {
    const name = annotations[`${kind}.karmada.io/name`];
    const id = labels[`${kind}.karmada.io/permanent-id`];
    if ((name === undefined) !== (id === undefined)) throw new Error(`half a claim: ${name} ${id}`);
    return name ?? [];
  });
  if (names.length > 1) throw new Error(`claimed twice: ${names.join(", ")}`);
  return names[0];
}

function conditionOf(object: Fields | undefined, type: string): unknown {
  const { conditions = [] } = (object?.["status"] ?? {}) as { conditions?: readonly { type: string }[] };
  return conditions.find((each) => each.type === type);
}

async function workOf({ stage, cast }: Play, who: string, member: string): Promise<Fields | undefined> {
  const { kind, name } = cast.find(who);
  const works = await stage.controlPlane.list("works");
  return works.find(({ metadata, spec }) => {
    const manifests = (spec as { workload?: { manifests?: readonly Fields[] } }).workload?.manifests ?? [];
    return (
      metadata.namespace === `karmada-es-${member}` &&
      manifests.some((each) => each["kind"] === kind && (each["metadata"] as Fields)["name"] === name)
    );
  });
}

interface EventSubject {
  readonly name: string;
  /** Where it is, for what has the same name in several places. */
  readonly namespace?: string | undefined;
}

/** What events are about: `web`, `the binding of web` or `the work of web in m1`. */
async function subjectOfEvents(play: Play, words: string): Promise<EventSubject> {
  const { cast } = play;
  const [, sent, member] = /^the work of (.+) in (\S+)$/.exec(words) ?? [];
  if (sent !== undefined) {
    const work = await workOf(play, sent, member!);
    return { name: work?.["metadata"].name ?? "", namespace: work?.["metadata"].namespace };
  }
  const [, bound] = /^the binding of (.+)$/.exec(words) ?? [];
  return { name: bound === undefined ? cast.find(words).name : bindingPathOf(cast.find(bound)).split("/").at(-1)! };
}

async function eventsOn(
  { stage }: Play,
  { name, namespace }: EventSubject,
  reason: string,
): Promise<readonly Fields[]> {
  const events = await stage.controlPlane.list("events");
  return events.filter((each) => {
    const subject = each["regarding"] ?? (each["involvedObject"] as Fields);
    const isHere = namespace === undefined || subject["namespace"] === namespace;
    return each["reason"] === reason && subject["name"] === name && isHere;
  });
}
