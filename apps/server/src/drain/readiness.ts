/** Something that keeps this process from being sent work. */
export interface NotReady {
  /** One word for programs: `draining`. */
  code: string
  /** One sentence for people. */
  message: string
}

/** Why this process should be sent no work. Whoever knows a reason states it here; without one the process is ready. */
export class Readiness {
  readonly #reasons = new Set<NotReady>()

  /** States a reason. The returned function takes it back. */
  state(reason: NotReady): () => void {
    this.#reasons.add(reason)
    return () => void this.#reasons.delete(reason)
  }

  /** The first one stated stands first. */
  get reasons(): readonly NotReady[] {
    return [...this.#reasons]
  }
}
