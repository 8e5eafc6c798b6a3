// Field numbers from generated.proto, JSON names and zero-value rules from the tags of the Go structs.
import { readdirSync, readFileSync } from "node:fs";
import { apiVersionOf, groupVersions } from "./modules.mjs";

const scalars = { string: "s", int32: "i", int64: "l", bool: "b", double: "d", bytes: "y" };

/** Messages that encoding/json does not print field by field. */
const specials = {
  "meta.v1.Time": "@time",
  "meta.v1.MicroTime": "@microtime",
  "meta.v1.Duration": "@duration",
  "meta.v1.FieldsV1": "@json",
  "resource.Quantity": "@quantity",
  "intstr.IntOrString": "@intorstring",
  "runtime.RawExtension": "@json",
  "apiextensions.v1.JSON": "@json",
  "apiextensions.v1.JSONSchemaPropsOrArray": "@schemaorarray",
  "apiextensions.v1.JSONSchemaPropsOrBool": "@schemaorbool",
  "apiextensions.v1.JSONSchemaPropsOrStringArray": "@schemaorstrings",
};

/** `type Verbs []string` in Go, `message Verbs { repeated string items = 1; }` on the wire. */
const namedSlices = new Set(["ExtraValue", "Verbs"]);

/** Messages reachable from the served kinds and DeleteOptions, and the package of each served group version. */
export function collectMessages(folders, resources) {
  const sources = [
    { name: "meta.v1", folder: `${folders["k8s.io/apimachinery"]}/pkg/apis/meta/v1` },
    ...groupVersions.map(({ folder, version }) => ({
      name: `${folder}.${version}`,
      folder:
        folder === "apiextensions"
          ? `${folders["k8s.io/apiextensions-apiserver"]}/pkg/apis/apiextensions/${version}`
          : `${folders["k8s.io/api"]}/${folder}/${version}`,
    })),
  ];
  const all = {};
  for (const source of sources) Object.assign(all, readPackage(source));
  const packages = Object.fromEntries(
    groupVersions.map((served) => [apiVersionOf(served), `${served.folder}.${served.version}`]),
  );
  const kinds = resources.flatMap((row) => [row, ...row.subresources]);
  const roots = kinds.map((row) => `${packages[apiVersionOf(row)]}.${row.kind}`);
  return { packages, messages: reachable(all, [...roots, "meta.v1.DeleteOptions"]) };
}

function reachable(all, roots) {
  const found = {};
  const reach = (name) => {
    if (name in found || name.length <= 2 || name.startsWith("@")) return;
    if (all[name] === undefined) throw new Error(`cannot find the message ${name}`);
    found[name] = all[name];
    for (const [, , type] of all[name]) reach(type);
  };
  for (const root of roots) reach(root);
  // The schema-or-x specials hold a JSONSchemaProps, which only they refer to by name.
  reach("apiextensions.v1.JSONSchemaProps");
  return found;
}

/** `[number, JSON name, type, flags]` per field of every message of a package. */
function readPackage({ name, folder }) {
  const structs = readStructs(folder);
  const messages = {};
  for (const [message, fields] of Object.entries(readProto(`${folder}/generated.proto`))) {
    const full = `${name}.${message}`;
    const struct = structs[message];
    // Without a struct of its own a message is an alias or a named slice; who refers to it knows, or fails.
    if (full in specials || (struct === undefined && fields.length > 0)) continue;
    messages[full] = fields.map((field) => fieldRow({ field, struct, message: full }));
  }
  return messages;
}

function fieldRow({ field, struct, message }) {
  const tags = struct.get(field.number);
  if (tags === undefined) throw new Error(`cannot find field ${field.number} of ${message} in Go`);
  const type = typeCode(field.type, message);
  let flags = "";
  if (field.map) flags += "m";
  else if (field.repeated) flags += "r";
  if (tags.inline) flags += "i";
  if (tags.pointer) flags += "p";
  if (!tags.inline && !tags.omitEmpty) flags += "k";
  if (tags.omitZero) flags += "z";
  const row = [field.number, tags.inline ? "" : tags.name, type];
  return flags === "" ? row : [...row, flags];
}

function typeCode(type, message) {
  if (type in scalars) return scalars[type];
  const own = message.slice(0, message.lastIndexOf("."));
  const name = type.startsWith(".") ? shortName(type) : `${own}.${type}`;
  if (name in specials) return specials[name];
  return namedSlices.has(type) ? "[s" : name;
}

/** `.k8s.io.api.core.v1.Pod` as `core.v1.Pod`, `.k8s.io.apimachinery.pkg.api.resource.Quantity` as `resource.Quantity`. */
function shortName(type) {
  const parts = type.split(".");
  return parts.slice(/^v\d/.test(parts.at(-2)) ? -3 : -2).join(".");
}

function readProto(path) {
  const messages = {};
  let fields;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const message = /^message (\w+) \{/.exec(line);
    if (message !== null) {
      fields = [];
      messages[message[1]] = fields;
      continue;
    }
    const map = /^ {2}map<string, ([\w.]+)> (\w+) = (\d+);/.exec(line);
    if (map !== null) fields.push({ type: map[1], name: map[2], number: Number(map[3]), map: true });
    const plain = /^ {2}(optional|repeated) ([\w.]+) (\w+) = (\d+);/.exec(line);
    if (plain !== null) {
      fields.push({ type: plain[2], name: plain[3], number: Number(plain[4]), repeated: plain[1] === "repeated" });
    }
  }
  return messages;
}

/** Struct name to (field number to tags), from the Go files of a package. */
function readStructs(folder) {
  const structs = {};
  for (const file of readdirSync(folder)) {
    if (!file.endsWith(".go") || file.endsWith("_test.go") || file.includes("generated")) continue;
    let fields;
    for (const line of readFileSync(`${folder}/${file}`, "utf8").split("\n")) {
      const opening = /^type (\w+) struct \{$/.exec(line);
      if (opening !== null) {
        fields = new Map();
        structs[opening[1]] = fields;
      }
      if (line.startsWith("}")) fields = undefined;
      const tag = fields === undefined ? null : /^\t([^`/]+)`(.*protobuf:"\w+,\d.*)`/.exec(line);
      if (tag !== null) addField(fields, tag[1].trim(), tag[2]);
    }
  }
  return structs;
}

function addField(fields, declaration, tags) {
  // A field without a json tag is printed under its Go name.
  const [name, ...options] = (/json:"([^"]*)"/.exec(tags)?.[1] ?? declaration.split(/\s+/)[0]).split(",");
  const number = Number(/protobuf:"\w+,(\d+)/.exec(tags)[1]);
  fields.set(number, {
    name,
    inline: options.includes("inline"),
    omitEmpty: options.includes("omitempty"),
    omitZero: options.includes("omitzero"),
    pointer: declaration.split(/\s+/).at(-1).startsWith("*"),
  });
}
