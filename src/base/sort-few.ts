const few = 32;

/** Sorts a list in place and gives it back. A few items are put in their places one by one: the engine's own sort makes lists beside them. */
export function sortFew<T>(items: T[], compare: (a: T, b: T) => number): T[] {
  if (items.length > few) return items.sort(compare);
  for (let index = 1; index < items.length; index++) {
    const item = items[index]!;
    let place = index;
    for (; place > 0 && compare(item, items[place - 1]!) < 0; place--) items[place] = items[place - 1]!;
    items[place] = item;
  }
  return items;
}
