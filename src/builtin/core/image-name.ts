const component = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const host = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const domain = `(?:${host}(?:\\.${host})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const tag = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}";
const digest = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
const reference = new RegExp(`^(?:${domain}/)?${component}(?:/${component})*(?::(${tag}))?(?:@(${digest}))?$`);
/** No real name is longer, and the pattern's cost grows with the square of it. */
const maxLength = 1024;

/** The pull policy of an image whose user named none: images that may change are pulled always. */
export function defaultPullPolicy(image: string): "Always" | "IfNotPresent" {
  const match = image.length > maxLength ? null : reference.exec(image);
  if (match === null) return "IfNotPresent";
  const [, namedTag, namedDigest] = match;
  return namedTag === "latest" || (namedTag === undefined && namedDigest === undefined) ? "Always" : "IfNotPresent";
}
