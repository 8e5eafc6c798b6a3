import { isJsonObject, member, RawNumber } from "#base/json.ts";

/** A scalar as something that compares: equal exactly when Go finds two decoded values equal. */
export function elementKey(value: unknown): unknown {
  return value instanceof RawNumber ? `number ${value.token}` : value;
}

/** Which elements an order names, and which only the server has. */
export function partition(
  elements: readonly unknown[],
  order: readonly unknown[],
  mergeKey: string,
): { listed: unknown[]; others: unknown[] } {
  const named = new Set(order.map((element) => orderingKey(element, mergeKey)));
  const listed: unknown[] = [];
  const others: unknown[] = [];
  for (const element of elements) (named.has(orderingKey(element, mergeKey)) ? listed : others).push(element);
  return { listed, others };
}

export interface ArrangeFacts {
  /** Elements that the order names. */
  readonly listed: readonly unknown[];
  /** Elements that only the server has. */
  readonly others: readonly unknown[];
  readonly order: readonly unknown[];
  readonly serverOrder: readonly unknown[];
  readonly mergeKey: string;
}

/**
 * The named elements in their order, and between them the others where they stood on the server: an element of the
 * server goes before the first named one that it preceded there.
 */
export function arrangeList({ listed, others, order, serverOrder, mergeKey }: ArrangeFacts): unknown[] {
  const places = positions(serverOrder, mergeKey);
  const right = sortBy(listed, positions(order, mergeKey), mergeKey);
  const left = sortBy(others, places, mergeKey);
  const result: unknown[] = [];
  let next = 0;
  for (const element of right) {
    const place = places.get(orderingKey(element, mergeKey));
    while (next < left.length && place !== undefined) {
      const other = places.get(orderingKey(left[next], mergeKey));
      if (other === undefined || other >= place) break;
      result.push(left[next++]);
    }
    result.push(element);
  }
  return [...result, ...left.slice(next)];
}

function sortBy(elements: readonly unknown[], places: ReadonlyMap<unknown, number>, mergeKey: string): unknown[] {
  const placed = elements.map((element) => ({ element, place: places.get(orderingKey(element, mergeKey)) ?? -1 }));
  return placed.sort((a, b) => a.place - b.place).map(({ element }) => element);
}

function positions(elements: readonly unknown[], mergeKey: string): ReadonlyMap<unknown, number> {
  const places = new Map<unknown, number>();
  for (const [index, element] of elements.entries()) {
    const key = orderingKey(element, mergeKey);
    if (!places.has(key)) places.set(key, index);
  }
  return places;
}

function orderingKey(element: unknown, mergeKey: string): unknown {
  return elementKey(mergeKey !== "" && isJsonObject(element) ? member(element, mergeKey) : element);
}
