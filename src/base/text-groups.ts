/**
 * Texts in groups, by the group's name. Most groups have one member, so that one alone is kept as it is: a set for each would take
 * several times the room.
 */
export class TextGroups {
  readonly #groups = new Map<string, string | Set<string>>();

  has(group: string): boolean {
    return this.#groups.has(group);
  }

  /** The members of a group, in the order in which they came. */
  of(group: string): Iterable<string> {
    const members = this.#groups.get(group);
    if (members === undefined) return [];
    return typeof members === "string" ? [members] : members;
  }

  add(group: string, member: string): void {
    const members = this.#groups.get(group);
    if (members === undefined) this.#groups.set(group, member);
    else if (typeof members !== "string") members.add(member);
    else if (members !== member) this.#groups.set(group, new Set([members, member]));
  }

  /** A group goes with its last member. */
  delete(group: string, member: string): void {
    const members = this.#groups.get(group);
    if (members === undefined) return;
    if (typeof members === "string") {
      if (members === member) this.#groups.delete(group);
      return;
    }
    members.delete(member);
    if (members.size === 0) this.#groups.delete(group);
  }
}
