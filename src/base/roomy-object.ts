/** More members than this are rare; such objects grow as any other. */
const most = 24;
/** V8 makes a constructor's objects as large as the first few of them turned out to be. */
const tries = 8;

type Maker = new () => Record<string, unknown>;

/**
 * Makers of empty objects that have room for a number of members. To V8 `{}` has room for four: an object with fewer wastes it, and one
 * with more keeps them in a second object with room of its own. What is kept in great numbers is a third smaller when it is made to
 * measure, as a literal with all of its members is.
 */
const makers: readonly Maker[] = Array.from({ length: most + 1 }, (_, members) => makerOf(members));

/** An empty object, made for so many members. */
export function roomFor<T = unknown>(members: number): Record<string, T> {
  const Maker = makers[members];
  return (Maker === undefined ? {} : new Maker()) as Record<string, T>; // empty as yet
}

/** How many members an object has, or more. */
export function countKeys(object: object): number {
  let count = 0;
  for (const _ in object) count++;
  return count;
}

function makerOf(members: number): Maker {
  const Maker = constructorWithRoom();
  for (let made = 0; made < tries; made++) {
    const trial = new Maker();
    for (let index = 0; index < members; index++) trial[`member ${index}`] = index;
  }
  return Maker;
}

/** As many members as a constructor names its first objects have room for, whether it sets them or not. */
function constructorWithRoom(): Maker {
  function Plain(this: Record<string, unknown>, isFilled = false): void {
    if (!isFilled) return;
    this["a"] = this["b"] = this["c"] = this["d"] = this["e"] = this["f"] = this["g"] = this["h"] = 0;
    this["i"] = this["j"] = this["k"] = this["l"] = this["m"] = this["n"] = this["o"] = this["p"] = 0;
    this["q"] = this["r"] = this["s"] = this["t"] = this["u"] = this["v"] = this["w"] = this["x"] = 0;
  }
  Plain.prototype = Object.prototype; // they are objects like any other
  return Plain as unknown as Maker;
}
