import { isImageDigest, isImageTag, parseImageReference } from "#base/image-reference.ts";

/** The parts of an image reference that overriders change; each may be empty. */
export interface ImageParts {
  readonly hostname: string;
  readonly repository: string;
  readonly tag: string;
  /** Only where there is no tag: an image with both keeps the tag. */
  readonly digest: string;
}

const digestLengths: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/** Takes an image reference apart; undefined when it is none. */
export function parseImageParts(image: string): ImageParts | undefined {
  const reference = parseImageReference(image);
  if (reference === undefined) return undefined;
  const { name, tag = "", digest = "" } = reference;
  if (digest !== "" && !isKnownDigest(digest)) return undefined;
  const [first = "", ...rest] = name.split("/");
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  const [hostname, repository] = hasRegistry ? [first, rest.join("/")] : ["", name];
  return { hostname, repository, tag, digest: tag === "" ? digest : "" };
}

/** Puts the parts together again. */
export function printImageParts({ hostname, repository, tag, digest }: ImageParts): string {
  const name = hostname === "" ? repository : `${hostname}/${repository}`;
  if (tag !== "") return `${name}:${tag}`;
  return digest === "" ? name : `${name}@${digest}`;
}

/** The parts with another tag or digest, whichever the text is; unchanged when it is neither. */
export function withTagOrDigest(parts: ImageParts, text: string): ImageParts {
  if (isImageTag(text)) return { ...parts, tag: text, digest: "" };
  return isImageDigest(text) ? { ...parts, tag: "", digest: text } : parts;
}

function isKnownDigest(digest: string): boolean {
  const [algorithm = "", hex = ""] = digest.split(":");
  return Object.hasOwn(digestLengths, algorithm) && hex.length === digestLengths[algorithm] && /^[0-9a-f]+$/.test(hex);
}
