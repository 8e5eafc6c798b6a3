/**
 * JSON Patch (RFC 6902) as two major versions of one Go library apply it, quirks included: clients in the field rely on them.
 *
 * Both: an operation without a value sets null, negative indices count from the end, what is before the first slash of a path
 * does not count. kube-apiserver's version: `replace` of a missing member sets it, `copy` of one sets null. Karmada's
 * version: both fail, and `add` at the root replaces the document.
 */
import { cloneJson, isJsonObject, jsonEquals, member, RawNumber, setMember, stringifyJson } from "#base/json.ts";
import { goTypeOf } from "./go-print.ts";
import { addItem, decodeKey, itemIndex } from "./json-pointer.ts";
import { attemptPatch, type PatchedObject, PatchFailure, type PatchReading, type PatchResult } from "./patch-result.ts";

/** As many as kube-apiserver takes. */
export const maxJsonPatchOperations = 10_000;
const maxCopiedBytes = 3 * 1024 * 1024;

/** Whose version of the library is followed. */
export type PatchDialect = "kubernetes" | "karmada";

/** Applies the operations in turn to a copy of the object, as kube-apiserver does; one that fails undoes all. */
export function applyJsonPatch(document: object, patch: unknown, reading: PatchReading = {}): PatchResult {
  return attemptPatch(() => {
    const patched = patchJson(document, { patch: patch ?? [], dialect: "kubernetes", ...reading });
    if (!patched.ok) throw new PatchFailure(patched.why, patched.message);
    if (!isJsonObject(patched.value)) {
      throw new PatchFailure("unprocessable", "the patched document is not an object");
    }
    return patched.value as PatchedObject;
  });
}

/** Applies the operations in turn to a copy of any object or list; one that fails undoes all. */
export function patchJson(
  document: object,
  { patch, dialect, validation }: PatchReading & { readonly patch: unknown; readonly dialect: PatchDialect },
): PatchResult<unknown> {
  return attemptPatch(() => {
    const operations = readOperations(patch, { validation });
    const run = new Run(cloneJson(document), dialect);
    for (const operation of operations) run.apply(operation);
    return run.document;
  });
}

/** An operation as it came: members are checked when they are used, as upstream does. */
type Operation = { readonly [field: string]: unknown };
type Container = PatchedObject | unknown[];

function readOperations(patch: unknown, { validation }: PatchReading): readonly Operation[] {
  const words =
    validation === "Ignore"
      ? { start: "", list: "jsonpatch.Patch", item: "jsonpatch.Operation" }
      : { start: "error decoding patch: ", list: "[]handlers.jsonPatchOp", item: "handlers.jsonPatchOp" };
  const refuse = (value: unknown, type: string): never => {
    const detail = `json: cannot unmarshal ${goTypeOf(value)} into Go value of type ${type}`;
    throw new PatchFailure("badRequest", `${words.start}${detail}`);
  };
  if (!Array.isArray(patch)) return refuse(patch, words.list);
  if (patch.length > maxJsonPatchOperations) {
    const limit = `The allowed maximum operations in a JSON patch is ${maxJsonPatchOperations}, got ${patch.length}`;
    throw new PatchFailure("tooLarge", limit);
  }
  return patch.map((operation: unknown) => {
    if (operation === null) return {};
    return isJsonObject(operation) ? operation : refuse(operation, words.item);
  });
}

class Run {
  document: unknown;
  readonly #dialect: PatchDialect;
  #copied = 0;

  constructor(document: unknown, dialect: PatchDialect) {
    this.document = document;
    this.#dialect = dialect;
  }

  apply(operation: Operation): void {
    const kind = member(operation, "op");
    switch (kind) {
      case "add":
        return this.#add(operation);
      case "remove":
        return this.#remove(operation);
      case "replace":
        return this.#replace(operation);
      case "move":
        return this.#move(operation);
      case "copy":
        return this.#copy(operation);
      case "test":
        return this.#test(operation);
      default:
        throw fail(`Unexpected kind: ${typeof kind === "string" ? kind : "unknown"}`);
    }
  }

  #add(operation: Operation): void {
    const path = pathOf(operation, "path", "add operation failed to decode path: missing value");
    if (path === "" && this.#dialect === "karmada") return this.#replaceRoot("add", operandOf(operation));
    const place = this.#find(path);
    if (place === undefined) throw fail(`add operation does not apply: doc is missing path: "${path}": missing value`);
    addTo(place, operandOf(operation), (detail) => `error in add for path: '${path}': ${detail}`);
  }

  #remove(operation: Operation): void {
    const path = pathOf(operation, "path", "remove operation failed to decode path: missing value");
    const place = this.#find(path);
    if (place === undefined)
      throw fail(`remove operation does not apply: doc is missing path: "${path}": missing value`);
    removeFrom(place, (detail) => `error in remove for path: '${path}': ${detail}`);
  }

  #replace(operation: Operation): void {
    const path = pathOf(
      operation,
      "path",
      "replace operation failed to decode path: operation missing path field: missing value",
    );
    const value = operandOf(operation);
    if (path === "") return this.#replaceRoot("replace", value);
    const place = this.#find(path);
    if (place === undefined)
      throw fail(`replace operation does not apply: doc is missing path: ${path}: missing value`);
    const { container, key } = place;
    const missing = () => `replace operation does not apply: doc is missing key: ${path}: missing value`;
    if (!Array.isArray(container)) {
      if (this.#dialect === "karmada" && !Object.hasOwn(container, key)) throw fail(missing());
      return setMember(container, key, value);
    }
    container[itemIndex(container, key, missing)] = value;
  }

  #replaceRoot(operation: string, value: unknown): void {
    if (typeof value !== "object" || value === null || value instanceof RawNumber) {
      throw fail(`${operation} operation value must be object or array`);
    }
    this.document = value;
  }

  #move(operation: Operation): void {
    const from = pathOf(
      operation,
      "from",
      "move operation failed to decode from: operation, missing from field: missing value",
    );
    const source = this.#find(from);
    if (source === undefined)
      throw fail(`move operation does not apply: doc is missing from path: ${from}: missing value`);
    const inMove = (detail: string) => `error in move for path: '${source.key}': ${detail}`;
    const value = getFrom(source, inMove);
    removeFrom(source, inMove);
    const path = pathOf(
      operation,
      "path",
      "move operation failed to decode path: operation missing path field: missing value",
    );
    const place = this.#find(path);
    if (place === undefined) {
      throw fail(`move operation does not apply: doc is missing destination path: ${path}: missing value`);
    }
    addTo(place, value, (detail) => `error in move for path: '${path}': ${detail}`);
  }

  #copy(operation: Operation): void {
    const from = pathOf(
      operation,
      "from",
      "copy operation failed to decode from: operation, missing from field: missing value",
    );
    const source = this.#find(from);
    if (source === undefined)
      throw fail(`copy operation does not apply: doc is missing from path: ${from}: missing value`);
    if (
      this.#dialect === "karmada" &&
      !Array.isArray(source.container) &&
      !Object.hasOwn(source.container, source.key)
    ) {
      throw fail(`error in copy for from: '${from}': missing value`);
    }
    const value = getFrom(source, (detail) => `error in copy for from: '${from}': ${detail}`);
    const path = pathOf(operation, "path", "copy operation failed to decode path: missing value");
    const place = this.#find(path);
    if (place === undefined) {
      throw fail(`copy operation does not apply: doc is missing destination path: ${path}: missing value`);
    }
    this.#countCopy(value);
    addTo(place, cloneJson(value), (detail) => `error while adding value during copy: ${detail}`);
  }

  /** Copies of copies grow exponentially. */
  #countCopy(value: unknown): void {
    this.#copied += stringifyJson(value).length;
    if (this.#copied <= maxCopiedBytes) return;
    const grown = `the accumulated size increase of copy is ${this.#copied}, exceeding the limit ${maxCopiedBytes}`;
    throw new PatchFailure("unprocessable", `Unable to complete the copy, ${grown}`);
  }

  #test(operation: Operation): void {
    const path = pathOf(
      operation,
      "path",
      "test operation failed to decode path: operation missing path field: missing value",
    );
    const failed = () => fail(`testing value ${path} failed: test failed`);
    const expected = operandOf(operation);
    if (path === "") {
      if (!jsonEquals(this.document, expected)) throw failed();
      return;
    }
    const place = this.#find(path);
    if (place === undefined) throw fail(`test operation does not apply: is missing path: ${path}: missing value`);
    const value = getFrom(place, (detail) => `error in test for path: '${path}': ${detail}`);
    if (!jsonEquals(value, expected)) throw failed();
  }

  /** The container that holds the path's last step; what is before the first slash does not count, as upstream. */
  #find(path: string): Place | undefined {
    const steps = path.split("/").slice(1).map(decodeKey);
    const key = steps.pop();
    if (key === undefined) return undefined;
    let container = this.document;
    for (const step of steps) {
      if (Array.isArray(container)) {
        const index = itemIndex(container, step);
        container = index === undefined ? undefined : container[index];
      } else if (isJsonObject(container)) container = member(container, step);
      else return undefined;
    }
    if (Array.isArray(container)) return { container, key };
    return isJsonObject(container) ? { container: container as PatchedObject, key } : undefined;
  }
}

interface Place {
  readonly container: Container;
  readonly key: string;
}

/** A missing member of an object reads as null. */
function getFrom({ container, key }: Place, explain: (detail: string) => string): unknown {
  if (Array.isArray(container)) return container[itemIndex(container, key, explain)];
  return member(container, key) ?? null;
}

function addTo({ container, key }: Place, value: unknown, explain: (detail: string) => string): void {
  if (Array.isArray(container)) addItem({ items: container, key, value, explain });
  else setMember(container, key, value);
}

function removeFrom({ container, key }: Place, explain: (detail: string) => string): void {
  if (Array.isArray(container)) {
    container.splice(itemIndex(container, key, explain), 1);
    return;
  }
  if (!Object.hasOwn(container, key)) throw fail(explain(`Unable to remove nonexistent key: ${key}: missing value`));
  delete container[key];
}

function pathOf(operation: Operation, field: "path" | "from", missing: string): string {
  const path = member(operation, field);
  if (typeof path !== "string") throw fail(missing);
  return path;
}

function operandOf(operation: Operation): unknown {
  return cloneJson(member(operation, "value") ?? null);
}

function fail(message: string): PatchFailure {
  return new PatchFailure("unprocessable", message);
}
