/** The lines that a caller sends. What they fail with is the caller's own, and no failure of the network. */
export class GivenLines {
  readonly #lines: AsyncIterable<unknown[]>
  /** What they failed with. */
  failure: { error: unknown } | undefined

  constructor(lines: AsyncIterable<unknown[]>) {
    this.#lines = lines
  }

  async *parts(): AsyncGenerator<unknown[]> {
    try {
      yield* this.#lines
    } catch (error) {
      this.failure = { error }
      throw error
    }
  }
}
