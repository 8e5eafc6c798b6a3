/** Where a walk stands. Moving is cheap; text is made only when something is wrong there. */
export class FieldPath {
  readonly #start: string;
  readonly #steps: (string | number)[] = [];
  /** Which steps are keys of a map and not declared fields. */
  readonly #areKeys: boolean[] = [];

  constructor(start: string) {
    this.#start = start;
  }

  /** Into a declared field, or an item of a list. */
  push(step: string | number): void {
    this.#steps.push(step);
    this.#areKeys.push(false);
  }

  /** Into a member of a map. */
  pushKey(key: string): void {
    this.#steps.push(key);
    this.#areKeys.push(true);
  }

  pop(): void {
    this.#steps.pop();
    this.#areKeys.pop();
  }

  get depth(): number {
    return this.#steps.length;
  }

  /** `spec.ports[0].name`; keys of maps look like fields (`metadata.labels.app`), as in schema findings. */
  print(): string {
    return this.#print(false);
  }

  /** The same with `metadata.labels[app]`, as in all other findings. */
  printWithKeys(): string {
    return this.#print(true);
  }

  #print(bracketKeys: boolean): string {
    let text = this.#start;
    for (const [index, step] of this.#steps.entries()) {
      if (typeof step === "number" || (bracketKeys && this.#areKeys[index])) text += `[${step}]`;
      else text += text === "" && !(this.#areKeys[index] && !bracketKeys) ? step : `.${step}`;
    }
    return text;
  }
}
