/**
 * Estimates how much of the sent speech was heard. A transport tells when a mark is reached, but not where playback stands between
 * two marks. A clock fills the gap: it says how much of the queued speech has had time to play. All times are in milliseconds.
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

  /** Sets the clock. It never goes back. */
  tick(now: number): void {
    this.#now = Math.max(this.#now, now)
  }

  /** Adds speech of this length to the end of the queue. */
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
