/** Gives a place back. Calling it again does nothing. */
export type Leave = () => void

/** So many places for each of any number of clients: what one of them takes is taken from no other. */
export class Places {
  readonly #most: number
  readonly #taken = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** A place; undefined where this client has all of its own. Clients that nobody can tell apart (`undefined`) are not counted. */
  take(client: string | undefined): Leave | undefined {
    if (client === undefined) return () => {}
    const taken = this.#taken.get(client) ?? 0
    if (taken >= this.#most) return undefined
    this.#taken.set(client, taken + 1)
    let left = false
    return () => {
      if (left) return
      left = true
      const others = (this.#taken.get(client) ?? 1) - 1
      if (others <= 0) this.#taken.delete(client)
      else this.#taken.set(client, others)
    }
  }

  /** All places are left. */
  clear(): void {
    this.#taken.clear()
  }
}
