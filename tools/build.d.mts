export function buildDist(options?: {
  readonly bench?: boolean;
  readonly more?: Readonly<Record<string, string>>;
}): Promise<void>;
