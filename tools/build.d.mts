export function buildDist(options?: { readonly bench?: boolean }): Promise<void>;
