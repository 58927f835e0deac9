/** Gaps of this length and above, in ms, are counted as one. */
const LONGEST = 10_000

/** Times between frames, counted by the millisecond: as many of them as an hour brings take the same memory. */
export class Gaps {
  readonly #counts = new Uint32Array(LONGEST + 1)
  count = 0
  /** In milliseconds. */
  longest = 0

  add(ms: number): void {
    const bucket = Math.min(LONGEST, Math.round(ms))
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.count += 1
    this.longest = Math.max(this.longest, ms)
  }

  clear(): void {
    this.#counts.fill(0)
    this.count = 0
    this.longest = 0
  }

  /** The milliseconds that `share` (0 to 1) of the gaps do not exceed; no number where there are none. */
  quantile(share: number): number {
    let seen = 0
    for (const [ms, count] of this.#counts.entries()) {
      seen += count
      if (count > 0 && seen >= share * this.count) return ms
    }
    return Number.NaN
  }
}
