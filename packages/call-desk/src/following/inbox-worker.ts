import type { Db, Queryable } from '@heyline/database'
import { Loop } from '@heyline/kit/loop'
import type { Logger } from 'pino'
import type { UnknownReasons } from '../call/outcome.js'
import { applyAllNews, type CallNews, logNews, type NewsResult, noteStopped } from '../news/call-news.js'
import type { CostRules } from '../news/news-sql.js'
import { type InboxMessage, storedMessage } from '../news/platform-message.js'
import { newsOfMessage } from '../news/platform-news.js'
import { saidInRecord } from '../news/said-in-record.js'
import type { Said } from '../placing/stop-calling.js'
import { saysStop } from '../placing/stop-phrases.js'
import { errorCode } from '../run/error-code.js'
import type { Timings } from '../run/timings.js'
import { storeUnasked } from '../web-calls/unasked-rows.js'
import {
  claimMessage,
  claimMessages,
  closeMessages,
  INBOX_CHANNEL,
  leaseMessages,
  type OpenMessage,
  postponeMessage,
} from './inbox-rows.js'

export interface InboxWorkerOptions {
  db: Db
  timings: Pick<Timings, 'pollMs' | 'newsMs'>
  /** How costs are read. */
  gate?: CostRules
  logger: Logger
  /** Says once which reasons of an end are not known. */
  reasons: UnknownReasons
  /** Stores browser calls of a hosted platform that nobody asked us for; see `Unasked`. Left out where there are none. */
  unasked?: Unasked
  /** Is told what the person called says, and where a report shows that they said "stop calling me". It is told again if it rejects, or if the process ended meanwhile. */
  onSaid(said: Said): Promise<unknown>
}

/** Which calls of a hosted platform are ours although nobody asked us for them. */
export interface Unasked {
  assistantId: string
  /** Longest that such a call lasts, as far as we know. */
  maxSeconds: number
}

/** Messages that are dealt with in one transaction. */
const BATCH = 100

/** From one look into the inbox to the next one, in milliseconds: what many calls tell meanwhile is dealt with together. */
const APART_MS = 100

/** How long words may take to be heard before another process tries, in milliseconds. */
const HEARD_MS = 30_000

const FIRST_DELAY_MS = 1000
const MOST_ATTEMPTS = 8

interface ReadMessage extends OpenMessage {
  message: InboxMessage
}

interface SaidMessage extends ReadMessage {
  text: string | undefined
}

/** What a transaction has done, and what is still to do. */
interface Taken {
  news: CallNews[]
  moved: NewsResult[]
  said: SaidMessage[]
  late: ReadMessage[]
}

/**
 * Processes the messages of the inbox: brings their news into the rows and marks them as done in one transaction, so that a killed
 * process leaves all or nothing. A message that fails is tried again alone, up to 8 times, and does not delay others.
 */
export class InboxWorker {
  readonly #options: InboxWorkerOptions
  readonly #loop: Loop
  #unlisten: (() => Promise<void>) | undefined
  #isClosing = false

  constructor(options: InboxWorkerOptions) {
    this.#options = options
    this.#loop = new Loop({
      everyMs: options.timings.pollMs,
      apartMs: APART_MS,
      run: () => this.#run(),
      onError: (error) => options.logger.error({ reason: errorCode(error) }, 'the inbox could not be read'),
    })
  }

  async start(): Promise<void> {
    this.#unlisten = await this.#options.db.listen(INBOX_CHANNEL, () => this.#loop.wake())
    this.#loop.start()
  }

  /** Looks into the inbox now. */
  wake(): void {
    this.#loop.wake()
  }

  /** Takes nothing more; resolves when what was taken is dealt with. */
  async close(): Promise<void> {
    this.#isClosing = true
    const closed = this.#loop.close()
    await this.#unlisten?.()
    this.#unlisten = undefined
    await closed
  }

  async #run(): Promise<void> {
    while ((await this.#runBatch()) === BATCH && !this.#isClosing);
  }

  /** Resolves with how many there were. */
  async #runBatch(): Promise<number> {
    const { db } = this.#options
    let claimed: OpenMessage[] = []
    try {
      await this.#finish(
        await db.transaction(async (tx) => {
          claimed = await claimMessages(tx, BATCH)
          return this.#take(tx, claimed)
        }),
      )
    } catch (error) {
      if (claimed.length === 0) throw error
      for (const { id } of claimed) await this.#runAlone(id)
    }
    return claimed.length
  }

  /** One of them is at fault, or the database was: each by itself. */
  async #runAlone(id: string): Promise<void> {
    let attempts = 0
    try {
      await this.#finish(
        await this.#options.db.transaction(async (tx) => {
          const message = await claimMessage(tx, id)
          attempts = message?.attempts ?? 0
          return this.#take(tx, message ? [message] : [])
        }),
      )
    } catch (error) {
      await this.#postpone(id, attempts, error)
    }
  }

  async #take(tx: Queryable, claimed: readonly OpenMessage[]): Promise<Taken> {
    const { timings, gate } = this.#options
    const read = claimed.flatMap((open) =>
      open.body === null ? [] : [{ ...open, message: storedMessage(open.body) }],
    )
    const said = read.flatMap((one) => {
      const { kind, text } = one.message
      if (kind === 'said') return [{ ...one, text }]
      const stop = kind === 'report' ? stopIn(one) : undefined
      return stop === undefined ? [] : [{ ...one, text: stop }]
    })
    const news = read.flatMap(({ message, receivedAt }) => newsOfMessage(message, receivedAt) ?? [])
    await this.#storeUnasked(tx, read)
    const moved = await applyAllNews(tx, news, timings.newsMs, gate)
    const words = new Set(said.map(({ id }) => id))
    await closeMessages(
      tx,
      claimed.flatMap(({ id }) => (words.has(id) ? [] : [id])),
    )
    // Whoever hears them has a transaction of its own, which on PGlite must not wait for this one.
    await leaseMessages(tx, [...words], HEARD_MS)
    return { news, moved, said, late: read.filter(({ message }) => message.kind === 'hang') }
  }

  /** Somebody is in the call, or it is over: where it was ours to make, its row has had the platform's id for long. */
  async #storeUnasked(tx: Queryable, read: readonly ReadMessage[]): Promise<void> {
    const { unasked, timings } = this.#options
    if (!unasked) return
    const calls = read.flatMap(({ message: { kind, status, callId, controlUrl, webAssistantId } }) =>
      webAssistantId === unasked.assistantId && (kind === 'report' || status === 'in-progress')
        ? [{ callId, controlUrl, slug: '' }]
        : [],
    )
    await storeUnasked(tx, calls, { maxSeconds: unasked.maxSeconds, newsMs: timings.newsMs })
  }

  /** What follows when the transaction is durable. */
  async #finish({ news, moved, said, late }: Taken): Promise<void> {
    const { db, logger, reasons } = this.#options
    for (const { endedReason } of news) reasons.note(endedReason)
    for (const result of moved) logNews(logger, result)
    for (const { message } of late)
      logger.warn({ callId: message.callId }, 'the platform says that the assistant is late with its answer')
    if (said.length === 0) return
    const heard = await Promise.all(said.map((message) => this.#hear(message)))
    await noteStopped(
      db,
      said.map(({ message }) => message.callId),
    )
    await closeMessages(db, heard.flat())
  }

  /** Resolves with the message's id when it was heard. */
  async #hear({ id, attempts, message, text }: SaidMessage): Promise<string[]> {
    const { callId, requestId } = message
    try {
      if (text !== undefined) await this.#options.onSaid({ callId, requestId, text })
      return [id]
    } catch (error) {
      await this.#postpone(id, attempts, error)
      return []
    }
  }

  async #postpone(id: string, attempts: number, error: unknown): Promise<void> {
    const reason = errorCode(error)
    const isLast = attempts + 1 >= MOST_ATTEMPTS
    await postponeMessage(this.#options.db, id, reason, isLast ? undefined : FIRST_DELAY_MS * 2 ** attempts)
    if (isLast)
      this.#options.logger.error(
        { reason },
        'a message of the platform cannot be processed: it stays in the inbox, and is not tried again',
      )
  }
}

/** The words of a report that say "stop calling me": they may have come too late for a message of their own, or its way was cut. */
function stopIn({ message, receivedAt }: ReadMessage): string | undefined {
  const news = newsOfMessage(message, receivedAt)
  return news && saidInRecord(news).find(saysStop)
}
