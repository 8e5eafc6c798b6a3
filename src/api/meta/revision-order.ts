/**
 * Whether one resource version is later than another of the same resource. Kubernetes lets them be compared as numbers; what is no
 * number is later than nothing.
 */
export function isLaterRevision(revision: string, than: string): boolean {
  if (!isNumber(revision) || !isNumber(than)) return false;
  return revision.length === than.length ? revision > than : revision.length > than.length;
}

function isNumber(revision: string): boolean {
  return /^(?:0|[1-9][0-9]*)$/.test(revision);
}
