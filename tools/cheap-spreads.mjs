// Node.js 20 gives every `{ ...a, b }` a hidden class of its own where `a` has no `b`: making one takes half a microsecond for each member
// that is added, and reading one twenty times as long as another object. Hence esbuild lowers spreads, and its helpers, which are made
// for old browsers, are replaced by ones that share hidden classes. docs/adr/0019 has the figures.

/** Options for esbuild: spreads become calls of the helpers below. */
export const loweredSpreads = { "object-rest-spread": false };

/** They do as the language does: a member of the name `__proto__` is a member, and no prototype. */
const helpers = [
  {
    name: "__spreadValues",
    found: /^var __spreadValues = \(a, b\) => \{\n.*?^\};\nvar __spreadProps = [^\n]*;\n/ms,
    text: `var __spreadValues = (a, b) => {
  if (b === undefined || b === null || !Object.hasOwn(b, "__proto__")) return Object.assign(a, b);
  for (const key of Reflect.ownKeys(b)) {
    const { enumerable } = Object.getOwnPropertyDescriptor(b, key);
    if (enumerable) __defProp(a, key, { value: b[key], writable: true, enumerable, configurable: true });
  }
  return a;
};
var __spreadProps = __spreadValues;
`,
  },
  {
    name: "__objRest",
    found: /^var __objRest = \(source, exclude\) => \{\n.*?^\};\n/ms,
    text: `var __objRest = (source, exclude) => {
  const target = {};
  for (const key in source)
    if (Object.hasOwn(source, key) && exclude.indexOf(key) < 0) {
      if (key !== "__proto__") target[key] = source[key];
      else __defProp(target, key, { value: source[key], writable: true, enumerable: true, configurable: true });
    }
  for (const key of Object.getOwnPropertySymbols(source))
    if (exclude.indexOf(key) < 0 && Object.prototype.propertyIsEnumerable.call(source, key)) target[key] = source[key];
  return target;
};
`,
  },
];

/** The text of a bundle with the helpers in place; every line stays where it was, so that source maps hold. */
export function withCheapSpreads(text) {
  return helpers.reduce(replaced, text);
}

function replaced(text, helper) {
  const found = helper.found.exec(text)?.[0];
  if (found === undefined) {
    if (text.includes(`var ${helper.name} `)) throw cannot("it has changed", helper);
    return text;
  }
  const missing = found.split("\n").length - helper.text.split("\n").length;
  if (missing < 0) throw cannot("ours has more lines", helper);
  return text.replace(found, () => helper.text + "\n".repeat(missing));
}

function cannot(why, { name }) {
  return new Error(`cannot replace ${name}, a helper of esbuild: ${why}; see tools/cheap-spreads.mjs`);
}
