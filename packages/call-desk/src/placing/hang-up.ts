import type { Db } from '@heyline/database'
import { Loop } from '@heyline/kit/loop'
import type { PlatformClient } from '@heyline/platform-client'
import type { Logger } from 'pino'
import type { GateSettings } from '../gate/gate-settings.js'
import { SWITCHES_CHANNEL } from '../gate/switches.js'
import { controlUrlOf } from '../news/platform-call.js'
import { type CallToEnd, claimHangUps, hastenHangUp, noteControlUrl } from '../queue/hang-up-claims.js'
import { errorCode } from '../run/error-code.js'
import type { Timings } from '../run/timings.js'
import { EndCallError, sendEndCall } from './end-call.js'

export interface HangUpsOptions {
  db: Db
  platform: PlatformClient
  gate: Pick<GateSettings, 'maxSeconds'>
  timings: Timings
  logger: Logger
}

/** Calls that one process ends at a time. */
const BATCH = 10

/** Bound of one request to the platform, in milliseconds: shorter than the pause before the next. */
const REQUEST_MS = 4000

/** Time until the next try, in milliseconds: after the first failure, and after every other try, accepted or not. */
const SOON_MS = 2000
const AGAIN_MS = 5000

const MOST_FAILED = 1000

/** Ends the placed calls that are to be ended: by the pause, or by the person called. Tries until each is over. */
export class HangUps {
  readonly #options: HangUpsOptions
  readonly #loop: Loop
  readonly #closing = new AbortController()
  /** Calls whose first try failed here. */
  readonly #failed = new Set<string>()
  #unlisten: (() => Promise<void>) | undefined

  constructor(options: HangUpsOptions) {
    this.#options = options
    this.#loop = new Loop({
      everyMs: options.timings.pollMs,
      run: () => this.#run(),
      onError: (error) =>
        options.logger.error({ reason: errorCode(error) }, 'calls to be ended could not be read'),
    })
  }

  async start(): Promise<void> {
    this.#unlisten = await this.#options.db.listen(SWITCHES_CHANNEL, () => this.wake())
    this.#loop.start()
  }

  /** Looks now. */
  wake(): void {
    this.#loop.wake()
  }

  /** Calls off the requests in progress: another process, or the next start, takes them up. */
  async close(): Promise<void> {
    this.#closing.abort()
    const closed = this.#loop.close()
    await this.#unlisten?.()
    this.#unlisten = undefined
    await closed
  }

  async #run(): Promise<void> {
    const { db, gate } = this.#options
    const calls = await claimHangUps(db, BATCH, { againMs: AGAIN_MS, maxSeconds: gate.maxSeconds })
    await Promise.all(calls.map((call) => this.#end(call)))
    if (calls.length === BATCH) this.#loop.wake()
  }

  async #end(call: CallToEnd): Promise<void> {
    const { db, platform, logger } = this.#options
    const { id } = call
    try {
      const url = await this.#controlUrl(call)
      await sendEndCall(
        platform,
        url,
        AbortSignal.any([this.#closing.signal, AbortSignal.timeout(REQUEST_MS)]),
      )
      this.#failed.delete(id)
      logger.info({ requestId: id }, 'call is hung up')
    } catch (error) {
      if (this.#closing.signal.aborted) return await hastenHangUp(db, id, 0)
      logger.warn({ requestId: id, reason: errorCode(error) }, 'call could not be hung up; it is tried again')
      if (this.#failed.has(id)) return
      // What is kept of calls that ended by themselves must not pile up.
      if (this.#failed.size >= MOST_FAILED) this.#failed.clear()
      this.#failed.add(id)
      await hastenHangUp(db, id, SOON_MS)
    }
  }

  /** Asks the platform where the answer to the placing said nothing. */
  async #controlUrl({ id, callId, controlUrl }: CallToEnd): Promise<string> {
    if (controlUrl !== null) return controlUrl
    const { db, platform } = this.#options
    const { signal } = this.#closing
    const asked = controlUrlOf(await platform.calls.get(callId, { signal, timeoutMs: REQUEST_MS }))
    if (asked === undefined)
      throw new EndCallError('no_control_url', 'The platform names no address for commands to the call.')
    await noteControlUrl(db, id, asked)
    return asked
  }
}
