/** Most statements that are kept prepared: each takes memory of every session, and what they say may come from requests. */
const LIMIT = 50

/** Gives statements that are to be prepared their names, the same text the same one. */
export class PreparedNames {
  readonly #names = new Map<string, string>()

  /** Undefined when there are enough already: then it runs without being prepared. */
  of(sql: string): string | undefined {
    const known = this.#names.get(sql)
    if (known !== undefined || this.#names.size >= LIMIT) return known
    const name = `heyline_${this.#names.size}`
    this.#names.set(sql, name)
    return name
  }
}
