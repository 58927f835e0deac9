import type { LegStore } from './leg-store.js'
import type { ListedCall, TwilioApi } from './twilio-api.js'

/** How far our clock and Twilio's may differ, in milliseconds. */
const SKEW_MS = 60_000
/** A request to place a call is answered or given up within this time, in milliseconds. */
const PLACING_MS = 30_000

/** Finds calls whose placing stayed unclear: the answer was lost, and no callback has named them. */
export class UnnamedCalls {
  readonly #legs: LegStore
  readonly #api: TwilioApi

  constructor(legs: LegStore, api: TwilioApi) {
    this.#legs = legs
    this.#api = api
  }

  /**
   * The calls at Twilio that this one may be: of the same numbers, of about the time, and none that we know. Undefined where the numbers are
   * not known. Rejects with a `TwilioError`.
   */
  async candidates(callId: string): Promise<ListedCall[] | undefined> {
    const dialled = await this.#legs.dialled(callId)
    if (!dialled) return undefined
    const { to, from, at } = dialled
    const since = at - SKEW_MS
    const listed = await this.#api.listCalls({ to, from, since })
    const timely = listed.filter(
      ({ createdAt }) => createdAt >= since && createdAt <= at + PLACING_MS + SKEW_MS,
    )
    const known = await this.#legs.known(timely.map(({ sid }) => sid))
    return timely.filter(({ sid }) => !known.has(sid))
  }
}
