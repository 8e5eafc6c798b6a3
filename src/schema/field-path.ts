/** Where a walk stands. Moving is cheap; text is made only when something is wrong there. */
export class FieldPath {
  readonly #start: string;
  readonly #steps: (string | number)[] = [];

  constructor(start: string) {
    this.#start = start;
  }

  push(step: string | number): void {
    this.#steps.push(step);
  }

  pop(): void {
    this.#steps.pop();
  }

  get depth(): number {
    return this.#steps.length;
  }

  /** As users write it: `spec.ports[0].name`. */
  print(): string {
    let text = this.#start;
    for (const step of this.#steps) {
      if (typeof step === "number") text += `[${step}]`;
      else text += text === "" ? step : `.${step}`;
    }
    return text;
  }
}
