/** What went wrong with one item. */
export interface ItemFailure<Item> {
  readonly item: Item;
  readonly error: unknown;
}

const width = 50;

/** Works on many items at once, not on all at once: the store commits together what is under way together. */
export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<readonly ItemFailure<Item>[]> {
  const failures: ItemFailure<Item>[] = [];
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of rest) {
      try {
        await work(item);
      } catch (error: unknown) {
        failures.push({ item, error });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return failures;
}
