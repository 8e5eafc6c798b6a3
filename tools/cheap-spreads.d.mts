export const loweredSpreads: Readonly<Record<string, boolean>>;
export function withCheapSpreads(text: string): string;
