import { isOutage } from '@heyline/database'

/**
 * What an outage of the database left undone. It is kept in memory, until the database is back: where the process ends meanwhile, the leases
 * of its rows run out.
 */
export class Leftovers {
  readonly #amends = new Set<() => Promise<void>>()

  /** Runs `step`. Where an outage ends it, `amend` is run after that; it has to be right whether the step took effect or not. */
  async during<T>(step: () => Promise<T>, amend: () => Promise<void>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      if (isOutage(error)) this.#amends.add(amend)
      throw error
    }
  }

  /** Rejects where the outage goes on. */
  async amend(): Promise<void> {
    for (const amend of this.#amends) {
      try {
        await amend()
      } catch (error) {
        // What fails for another reason would hold up all others for ever.
        if (!isOutage(error)) this.#amends.delete(amend)
        throw error
      }
      this.#amends.delete(amend)
    }
  }
}
