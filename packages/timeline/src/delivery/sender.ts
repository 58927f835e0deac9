import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { Loop } from '@heyline/kit/loop'
import { RecentMap } from '@heyline/kit/recent-map'
import type { Logger } from 'pino'
import type { Courier } from '../endpoints/courier.js'
import type { EndpointRow } from '../endpoints/endpoint-rows.js'
import { EVENTS_CHANNEL } from '../events/events-channel.js'
import type { TryResult } from '../outgoing/try-result.js'
import {
  type Claim,
  type Claimed,
  claimFirsts,
  disableGone,
  dueEndpoints,
  LEASE_MS,
  settle,
} from './claims.js'
import { claimDigest, settleDigest } from './digests.js'
import { paceOf } from './pace.js'
import { allWaits, waitAfter } from './tries.js'

export interface SenderOptions {
  db: Db
  courier: Pick<Courier, 'tell' | 'tellAll'>
  logger: Logger
  /** Longest pause between two looks, in ms. */
  pollMs?: number
  /** After so long another process sends what this one has claimed, in ms: longer than any try takes, and at most the minute that is usual. */
  leaseMs?: number
  /** From 0 to 1. */
  chance?: () => number
}

/** Lanes of an endpoint that one process sends at once. */
const LANES_MOST = 8
/** Endpoints whose turns are remembered. */
const ENDPOINTS_MOST = 1_000
const POLL_MS = 2_000
/** After an error of the database nothing is looked for, for so long, in ms. */
const REST_MS = 10_000
const GONE = 410

/**
 * Sends what is due. Any number of processes do so: each delivery is claimed under a lease, and those of one visitor go to an endpoint in
 * their order. A process that is killed leaves its claims to the others, which send the same again.
 */
export class Sender {
  readonly #options: Required<SenderOptions>
  readonly #loop: Loop
  /** How many tries of each endpoint are under way. */
  readonly #busy = new Map<string, number>()
  readonly #tries = new Set<Promise<void>>()
  /** The lane of each endpoint that had the last turn. */
  readonly #turns = new RecentMap<string, string>(ENDPOINTS_MOST)
  /** Endpoints that nothing can be sent to now, though something is due, and when they are looked at again, in ms. */
  readonly #quiet = new RecentMap<string, number>(ENDPOINTS_MOST)
  #restsUntil = 0
  #unlisten: (() => Promise<void>) | undefined

  constructor(options: SenderOptions) {
    this.#options = { pollMs: POLL_MS, leaseMs: LEASE_MS, chance: Math.random, ...options }
    this.#loop = new Loop({
      everyMs: this.#options.pollMs,
      run: () => this.#run(),
      onError: (err) => {
        options.logger.error({ err }, 'events could not be read for delivery')
        // What overran its time is not asked again at each event.
        this.#restsUntil = performance.now() + REST_MS
      },
    })
  }

  async start(): Promise<void> {
    this.#unlisten = await this.#options.db.listen(EVENTS_CHANNEL, () => this.#loop.wake())
    this.#loop.start()
  }

  /** Claims nothing more; resolves when what is under way has ended. */
  async close(): Promise<void> {
    const closed = this.#loop.close()
    await this.#unlisten?.()
    this.#unlisten = undefined
    await closed
    await Promise.all(this.#tries)
  }

  async #run(): Promise<void> {
    const { db, leaseMs, pollMs } = this.#options
    if (performance.now() < this.#restsUntil) return
    for (const endpoint of await dueEndpoints(db)) {
      const free = LANES_MOST - (this.#busy.get(endpoint.id) ?? 0)
      if (free <= 0) continue
      if (performance.now() < (this.#quiet.get(endpoint.id) ?? 0)) continue
      const claim = { endpointId: endpoint.id, claim: randomUUID(), leaseMs }
      if (!(await this.#sendSome(endpoint, claim, free)))
        this.#quiet.set(endpoint.id, performance.now() + pollMs)
    }
  }

  /** Resolves with whether there was something to send now. */
  async #sendSome(endpoint: EndpointRow, claim: Claim, free: number): Promise<boolean> {
    const { db } = this.#options
    const pace = await paceOf(db, endpoint)
    if (pace === 'each') return await this.#sendFirsts(endpoint, claim, free)
    const digest = pace === 'together' ? await claimDigest(db, endpoint, claim) : undefined
    if (digest) this.#begin(endpoint, () => this.#sendDigest(endpoint, claim, digest))
    return digest !== undefined
  }

  /** Begins with the next lanes that are due, in turn: one that always has more holds up no other. */
  async #sendFirsts(endpoint: EndpointRow, claim: Claim, free: number): Promise<boolean> {
    const { db } = this.#options
    const { id } = endpoint
    const begin = (claimed: readonly Claimed[]) => {
      for (const one of claimed) this.#begin(endpoint, () => this.#send(endpoint, claim, one))
      const last = claimed.at(-1)
      if (last) this.#turns.set(id, last.lane)
      return claimed.length
    }
    const after = this.#turns.get(id)
    const begun = begin(await claimFirsts(db, claim, free, after))
    const left = free - begun
    const more = left > 0 && after !== undefined ? begin(await claimFirsts(db, claim, left)) : 0
    return begun + more > 0
  }

  #begin({ id }: EndpointRow, send: () => Promise<void>): void {
    this.#busy.set(id, (this.#busy.get(id) ?? 0) + 1)
    const over: Promise<void> = send()
      // The lease runs out, and it is sent again.
      .catch((err: unknown) =>
        this.#options.logger.error({ err }, 'what became of a delivery could not be noted'),
      )
      .then(() => {
        this.#tries.delete(over)
        this.#quiet.delete(id)
        const left = (this.#busy.get(id) ?? 1) - 1
        if (left > 0) this.#busy.set(id, left)
        else this.#busy.delete(id)
        this.#loop.wake()
      })
    this.#tries.add(over)
  }

  async #send(endpoint: EndpointRow, claim: Claim, { seq, attempts, event }: Claimed): Promise<void> {
    const { db, courier } = this.#options
    const result = await courier.tell(endpoint, event)
    const isGone = result.status === GONE
    const waitMs = isGone ? undefined : this.#waitMs(result, attempts)
    if (isGone) await disableGone(db, endpoint)
    await settle(db, claim, seq, { ...result, waitMs })
    this.#log(endpoint, event.id, { ...result, waitMs })
  }

  async #sendDigest(
    endpoint: EndpointRow,
    claim: Claim,
    { attempts, ...digest }: Parameters<Courier['tellAll']>[1] & { attempts: number },
  ): Promise<void> {
    const { db, courier } = this.#options
    const result = await courier.tellAll(endpoint, digest)
    const isGone = result.status === GONE
    const waits = isGone ? [] : allWaits(this.#options.chance(), result.retryAfterMs)
    if (isGone) await disableGone(db, endpoint)
    await settleDigest(db, claim, { ...result, waits })
    this.#log(endpoint, digest.events[0]?.id, { ...result, waitMs: waits[attempts] })
  }

  #waitMs({ error, retryAfterMs }: TryResult, attempts: number): number | undefined {
    return error === null ? undefined : waitAfter(attempts + 1, this.#options.chance(), retryAfterMs)
  }

  #log(
    { id }: EndpointRow,
    eventId: string | undefined,
    { status, error, waitMs }: TryResult & { waitMs?: number | undefined },
  ) {
    if (error === null) return
    const facts = { endpointId: id, eventId, status, reason: error }
    if (waitMs === undefined)
      this.#options.logger.warn(facts, 'an event was not delivered, and is not tried again')
    else this.#options.logger.debug({ ...facts, waitMs }, 'an event was not delivered')
  }
}
