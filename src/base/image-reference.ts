const component = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const host = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const domain = `(?:${host}(?:\\.${host})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const tag = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}";
const digest = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
const reference = new RegExp(`^((?:${domain}/)?${component}(?:/${component})*)(?::(${tag}))?(?:@(${digest}))?$`);
const wholeTag = new RegExp(`^${tag}$`);
const wholeDigest = new RegExp(`^${digest}$`);
/** No real reference is longer, and the pattern's cost grows with the square of it. */
const maxLength = 1024;

/** An image as pod specs name it. */
export interface ImageReference {
  /** With the registry, if there is one. */
  readonly name: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** Reads `[registry/]name[:tag][@digest]`; undefined when it is no such thing. */
export function parseImageReference(image: string): ImageReference | undefined {
  const match = image.length > maxLength ? null : reference.exec(image);
  if (match === null) return undefined;
  const [, name = "", tag, digest] = match;
  return { name, ...(tag !== undefined && { tag }), ...(digest !== undefined && { digest }) };
}

/** Whether a text can stand after the colon. */
export function isImageTag(text: string): boolean {
  return wholeTag.test(text);
}

/** Whether a text can stand after the @. */
export function isImageDigest(text: string): boolean {
  return text.length <= maxLength && wholeDigest.test(text);
}
