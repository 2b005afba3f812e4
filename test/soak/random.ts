/** Random numbers that are the same for the same seed. */
export class Random {
  constructor(private state: number) {}

  /** From 0, and less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number, both bounds included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  /** True for one in so many. */
  oneIn(many: number): boolean {
    return this.next() * many < 1
  }

  of<A>(all: ReadonlyArray<A>): A {
    // It is one of them: no caller has an empty array.
    return all[this.between(0, all.length - 1)] as A
  }
}
