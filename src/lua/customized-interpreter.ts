import type { ResourceInterpreterCustomization } from "#api/config/resource-interpreter-customization.ts";
import type { Manifest } from "#api/meta/manifest.ts";
import { stringifyJson } from "#base/json.ts";
import type { Interpretation } from "#interpreter/interpretation.ts";
import { type Answer, type Interpreter, nativeInterpreter, onceKnown } from "#interpreter/interpreter.ts";
import {
  type ReadResult,
  readComponents,
  readDependencies,
  readHealth,
  readReplicas,
  readSameObject,
  readStatus,
} from "./check-result.ts";
import { LuaError } from "./lua-error.ts";
import type { LuaHost } from "./lua-host.ts";

/** An operation, as customizations name it. */
export type Operation = keyof ResourceInterpreterCustomization["spec"]["customizations"];

/** The scripts of an operation on a kind; of most operations there is one at most. */
export interface ScriptSource {
  /** Undefined once everything is known; until then, when it will be. */
  readonly pending: () => Promise<void> | undefined;
  readonly scriptsFor: (object: Pick<Manifest, "apiVersion" | "kind">, operation: Operation) => readonly string[];
}

interface Question<T> {
  readonly operation: Operation;
  readonly entry: string;
  readonly args: readonly unknown[];
  readonly read: ReadResult<T>;
  readonly native: () => Answer<T>;
}

/** What kinds mean: by the customization that speaks of the kind and operation, else natively, and then at once. */
export function customizedInterpreter(source: ScriptSource, lua: Pick<LuaHost, "run">): Interpreter {
  const ask = <T>(object: Manifest, question: Question<T>): Answer<T> =>
    onceKnown(source.pending(), () => {
      const [script] = source.scriptsFor(object, question.operation);
      return script === undefined ? question.native() : runScript(lua, script, question);
    });
  return {
    replicas: (object) =>
      ask(object, {
        operation: "replicaResource",
        entry: "GetReplicas",
        args: [object],
        read: readReplicas,
        native: () => nativeInterpreter.replicas(object),
      }),
    replicaCount: (object) =>
      ask(object, {
        operation: "replicaResource",
        entry: "GetReplicas",
        args: [object],
        read: (results) => readReplicas(results).replicas,
        native: () => nativeInterpreter.replicaCount(object),
      }),
    components: (object) =>
      ask(object, {
        operation: "componentResource",
        entry: "GetComponents",
        args: [object],
        read: readComponents,
        native: () => nativeInterpreter.components(object),
      }),
    reviseReplicas: (object, replicas) =>
      ask(object, {
        operation: "replicaRevision",
        entry: "ReviseReplica",
        args: [object, replicas],
        read: readSameObject(object),
        native: () => nativeInterpreter.reviseReplicas(object, replicas),
      }),
    retain: (desired, observed) =>
      ask(desired, {
        operation: "retention",
        entry: "Retain",
        args: [desired, observed],
        read: readSameObject(desired),
        native: () => nativeInterpreter.retain(desired, observed),
      }),
    reflectStatus: (observed) =>
      ask(observed, {
        operation: "statusReflection",
        entry: "ReflectStatus",
        args: [observed],
        read: readStatus,
        native: () => nativeInterpreter.reflectStatus(observed),
      }),
    health: (observed) =>
      ask(observed, {
        operation: "healthInterpretation",
        entry: "InterpretHealth",
        args: [observed],
        read: readHealth,
        native: () => nativeInterpreter.health(observed),
      }),
    aggregateStatus: (object, facts) =>
      ask(object, {
        operation: "statusAggregation",
        entry: "AggregateStatus",
        args: [object, facts.items],
        read: (results) => ({ ...object, status: readStatus([readSameObject(object)(results)["status"]]) ?? {} }),
        native: () => nativeInterpreter.aggregateStatus(object, facts),
      }),
    dependencies: (object) => onceKnown(source.pending(), () => dependenciesOf(object, { source, lua })),
  } satisfies Interpreter;
}

/** All scripts are asked, and what several name counts once. */
function dependenciesOf(
  object: Manifest,
  { source, lua }: { readonly source: ScriptSource; readonly lua: Pick<LuaHost, "run"> },
): Answer<Awaited<ReturnType<typeof readDependencies>>> {
  const scripts = source.scriptsFor(object, "dependencyInterpretation");
  const native = () => nativeInterpreter.dependencies(object);
  if (scripts.length === 0) return native();
  const question = { operation: "dependencyInterpretation", entry: "GetDependencies", args: [object] } as const;
  const answers = scripts.map((script) => runScript(lua, script, { ...question, read: readDependencies, native }));
  return Promise.all(answers).then((all) => {
    const failed = all.find((answer) => !answer.ok);
    if (failed !== undefined) return failed;
    const found = all.flatMap((answer) => (answer.ok ? answer.value : []));
    return { ok: true, value: [...new Map(found.map((each) => [stringifyJson(each), each])).values()] };
  });
}

async function runScript<T>(
  lua: Pick<LuaHost, "run">,
  script: string,
  { operation, entry, args, read }: Question<T>,
): Promise<Interpretation<T>> {
  const result = await lua.run({ script, entry, args });
  const prefix = `the customization's ${operation}`;
  if (!result.ok)
    return { ok: false, why: result.again ? "unavailable" : "faulty", message: `${prefix} failed: ${result.error}` };
  try {
    return { ok: true, value: read(result.results) };
  } catch (error) {
    if (error instanceof LuaError) return { ok: false, why: "faulty", message: `${prefix}: ${error.message}` };
    throw error;
  }
}
