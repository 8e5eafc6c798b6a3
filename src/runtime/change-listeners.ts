import type { ApiObject } from "#api/meta/object-meta.ts";
import type { Change, ChangeListener } from "./informer.ts";

type Listeners<T extends ApiObject> = readonly ChangeListener<T>[];

/** Those who are called back for every change, or those of one namespace; who comes or goes meanwhile does so after it. */
export class ChangeListeners<T extends ApiObject> {
  #all: Listeners<T> = [];
  readonly #byNamespace = new Map<string, Listeners<T>>();

  /** Returns what ends it. */
  add(listener: ChangeListener<T>, namespace?: string): () => void {
    this.#put(namespace, [...this.#of(namespace), listener]);
    return () =>
      this.#put(
        namespace,
        this.#of(namespace).filter((each) => each !== listener),
      );
  }

  notify(change: Change<T>): void {
    for (const listener of this.#all) listener(change);
    const { namespace } = (change.after ?? change.before)!.metadata;
    if (namespace !== undefined) for (const listener of this.#of(namespace)) listener(change);
  }

  #of(namespace: string | undefined): Listeners<T> {
    return namespace === undefined ? this.#all : (this.#byNamespace.get(namespace) ?? []);
  }

  #put(namespace: string | undefined, listeners: Listeners<T>): void {
    if (namespace === undefined) this.#all = listeners;
    else if (listeners.length === 0) this.#byNamespace.delete(namespace);
    else this.#byNamespace.set(namespace, listeners);
  }
}
