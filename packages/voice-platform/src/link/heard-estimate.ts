/**
 * Estimates how much of the speech that was sent has been heard. A transport tells when a mark is reached, but not where
 * playback stands in between, or not any more: so a clock is held against what was queued. All times in milliseconds.
 */
export class HeardEstimate {
  #now = 0
  #sent = 0
  #endsAt = 0
  #markedAt = 0

  /** Speech sent since the last clear. A mark sent now stands here. */
  get position(): number {
    return this.#sent
  }

  /** When all that was queued will have been heard, by the clock. */
  get endsAt(): number {
    return Math.max(this.#endsAt, this.#now)
  }

  /** The clock has come so far; it is never turned back. */
  tick(now: number): void {
    this.#now = Math.max(this.#now, now)
  }

  /** So much speech was queued behind what is there. */
  queue(duration: number): void {
    this.#endsAt = this.endsAt + duration
    this.#sent += duration
  }

  /** A mark that stood at this position was reached. */
  reach(position: number): void {
    this.#markedAt = Math.max(this.#markedAt, position)
  }

  /** Everything queued is dropped. Returns how much was heard since the last mark that was reached. */
  clear(): number {
    const unheard = Math.max(0, this.#endsAt - this.#now)
    const heard = Math.max(0, Math.round(this.#sent - unheard - this.#markedAt))
    this.#sent = 0
    this.#markedAt = 0
    this.#endsAt = this.#now
    return heard
  }
}
