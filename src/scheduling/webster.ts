import { compareBytes, sortedByName } from "#base/byte-order.ts";

/** Someone who takes part in a division by votes. */
export interface Party {
  readonly name: string;
  readonly votes: number;
  /** Seats the party has; before a division, those it brings along. */
  readonly seats: number;
}

/** A division to make. Names are unique. */
export interface SeatDivision {
  readonly newSeats: number;
  readonly parties: readonly Party[];
  /** Whether, among equals, the name that sorts last comes first. */
  readonly lastNameFirst: boolean;
}

/**
 * Divides seats by Webster's method (Sainte-Laguë): each goes to the party with the largest votes/(2·seats+1), then to the
 * one with fewer seats, then by name. Answers all parties sorted by name.
 *
 * Upstream: karmada pkg/util/helper/webstermethod.go.
 */
export function allocateSeats({ newSeats, parties, lastNameFirst }: SeatDivision): Party[] {
  const entries = parties.map(({ name, votes, seats }) => entry({ name, votes, seats }));
  const given = newSeats > parties.length * 4 ? giveUndisputed(entries, newSeats) : 0;
  const comesFirst = order(lastNameFirst);
  const heap = entries.toSorted((a, b) => (comesFirst(a, b) ? -1 : 1));
  for (let left = newSeats - given; left > 0; left--) {
    const winner = heap[0];
    if (winner === undefined) break;
    winner.seats++;
    winner.claim = claimOf(winner.votes, winner.seats);
    sinkFirst(heap, comesFirst);
  }
  return sortedByName(entries.map(({ name, votes, seats }) => ({ name, votes, seats })));
}

interface Entry {
  readonly name: string;
  readonly votes: number;
  seats: number;
  /** The party's claim to the next seat, in double precision as upstream has it. */
  claim: number;
}

function entry({ name, votes, seats }: Party): Entry {
  return { name, votes, seats, claim: claimOf(votes, seats) };
}

function claimOf(votes: number, seats: number): number {
  return votes / (2 * seats + 1);
}

function order(lastNameFirst: boolean): (a: Entry, b: Entry) => boolean {
  return (a, b) => {
    if (a.claim !== b.claim) return a.claim > b.claim;
    if (a.seats !== b.seats) return a.seats < b.seats;
    return compareBytes(a.name, b.name) < 0 !== lastNameFirst;
  };
}

/** Restores the heap after its first entry has lost rank. */
function sinkFirst(heap: Entry[], comesFirst: (a: Entry, b: Entry) => boolean): void {
  const moving = heap[0];
  if (moving === undefined) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    const left = heap[child];
    if (left === undefined) break;
    const right = heap[child + 1];
    if (right !== undefined && comesFirst(right, left)) child++;
    const next = heap[child]!;
    if (!comesFirst(next, moving)) break;
    heap[at] = next;
    at = child;
  }
  heap[at] = moving;
}

/**
 * Gives at once the seats that no tie can touch, so that the cost does not grow with the number of seats: for any bound, the
 * claims above it are served before all others. Answers how many were given; the few that are left are disputed one by one.
 */
function giveUndisputed(entries: readonly Entry[], newSeats: number): number {
  let low = 0;
  let high = Math.max(0, ...entries.map(({ claim }) => claim));
  for (let step = 0; step < 64 && low < high; step++) {
    const middle = low + (high - low) / 2;
    if (middle === low || middle === high) break;
    if (seatsAbove(entries, middle) > newSeats) low = middle;
    else high = middle;
  }
  const given = seatsAbove(entries, high);
  for (const each of entries) {
    each.seats += claimsAbove(each, high);
    each.claim = claimOf(each.votes, each.seats);
  }
  return given;
}

function seatsAbove(entries: readonly Entry[], bound: number): number {
  return entries.reduce((sum, each) => sum + claimsAbove(each, bound), 0);
}

/** How many seats in a row the party takes while its claim is above the bound. */
function claimsAbove({ votes, seats }: Entry, bound: number): number {
  if (claimOf(votes, seats) <= bound) return 0;
  let count = Math.max(0, Math.floor((votes / bound - 1) / 2) - seats);
  // the estimate may be off by a rounding error either way
  while (count > 0 && claimOf(votes, seats + count - 1) <= bound) count--;
  while (claimOf(votes, seats + count) > bound) count++;
  return count;
}
