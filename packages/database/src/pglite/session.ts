import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { DatabaseError } from '../db/database-error.js'
import type { RawResult } from '../db/rows.js'
import { Engine } from './engine.js'
import type { EngineAnswer, Work } from './engine-message.js'
import { type Holder, mayCommit, settleLost, type Task } from './task.js'
import { Watchdog } from './watchdog.js'

export interface SessionOptions {
  directory: string
  logger: Logger
  onNotification(channel: string, payload: string): void
  /** Statements with which a thread begins that takes the place of a lost one. */
  greeting(): string[]
  /** The thread is gone for good: `cause` when that was not asked for. */
  onEnded(cause: Error | undefined): void
}

/** Before the first tries to bring back a lost thread, in ms. What is asked meanwhile waits for them. */
const REOPEN_WAITS_MS = [0, 1_000]
/** Before the next ones, for as long as it takes: a full disk may have room again. What is asked meanwhile is refused. */
const LATER_WAITS_MS = [2_000, 5_000, 10_000]
const LONGEST_WAIT_MS = 30_000

/**
 * PGlite's one session, over the lives of its threads. Work is done in the order it is asked for. A thread that breaks, or that is given
 * up because a statement takes too long, is followed by another on the same directory, whose lock is kept; what had begun
 * is answered with an error, its transaction is rolled back by recovery, and what had not begun is done by the next one.
 */
export class Session {
  readonly #options: SessionOptions
  readonly #watchdog: Watchdog
  /** None while a lost one is being followed. */
  #engine: Engine | undefined
  #reopening: Promise<void> = Promise.resolve()
  #queue: Task[] = []
  /** The transaction that is open. */
  #holder: Holder | undefined
  #slow: Task | undefined
  /** Threads in a row that ended before they did anything. */
  #idleLosses = 0
  #state: 'open' | 'closing' | 'ended' = 'open'
  #cause: Error | undefined
  /** Why the first tries to reopen failed. */
  #down: Error | undefined
  readonly #closing = new AbortController()

  private constructor(options: SessionOptions) {
    this.#options = options
    this.#watchdog = new Watchdog((task) => this.#giveUp(task))
  }

  /** @throws PgliteStartError */
  static async open(options: SessionOptions): Promise<{ session: Session; created: boolean }> {
    const session = new Session(options)
    const { engine, created } = await session.#start()
    session.#engine = engine
    return { session, created }
  }

  run(work: Work, options: { holder?: Holder; patienceMs: number }): Promise<RawResult> {
    if (this.#state !== 'open') return Promise.reject(this.#refusal())
    if (this.#down) return Promise.reject(DatabaseError.stopped(this.#down))
    return new Promise((resolve, reject) => {
      const task: Task = { work, holder: options.holder, patienceMs: options.patienceMs, resolve, reject }
      if (task.holder?.lost) settleLost(task)
      else this.#enqueue(task)
    })
  }

  /** Lets what was asked before finish, for `graceMs` at most. Idempotent. */
  async close(graceMs: number): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'closing'
    this.#closing.abort()
    this.#watchdog.rest()
    await this.#reopening
    if (this.#engine) await this.#engine.close(graceMs)
    else this.#end(undefined)
  }

  async #start(): Promise<{ engine: Engine; created: boolean }> {
    const { directory, logger, onNotification: notification } = this.#options
    const started = await Engine.start(directory, {
      onNotification: notification,
      onAnswered: (answer) => this.#answered(answer),
      onEnded: (cause) => this.#lost(started.engine, cause),
    })
    const { badTemplate } = started
    if (badTemplate !== undefined)
      logger.warn(
        { badTemplate },
        'the template of new databases is damaged, so this one took longer to make: remove the template, or install again',
      )
    return started
  }

  #enqueue(task: Task): void {
    this.#queue.push(task)
    if (this.#engine) task.id = this.#engine.post(task.work)
    if (this.#queue.length === 1) this.#watch()
  }

  #watch(): void {
    const [head] = this.#queue
    if (this.#engine && head && this.#state === 'open') this.#watchdog.watch(this.#engine, head)
    else this.#watchdog.rest()
  }

  #answered(answer: EngineAnswer): void {
    const task = this.#queue.shift()
    if (task?.id !== answer.id) throw new Error('PGlite answered out of order.') // a bug here: nothing can be trusted
    this.#watch()
    const standing = task.work.type === 'run' ? task.work.standing : 'outside'
    if (standing === 'commit' || standing === 'rollback') this.#holder = undefined
    if (answer.type === 'result') {
      if (standing === 'begin') this.#holder = task.holder
      task.resolve(answer.result)
    } else task.reject(new DatabaseError(answer.error.message, answer.error))
  }

  #giveUp(task: Task): void {
    this.#slow = task
    const sql = task.work.type === 'run' ? task.work.sql.slice(0, 500) : task.work.type
    this.#options.logger.warn(
      { sql, patienceMs: task.patienceMs },
      'a statement took too long: PGlite is reopened',
    )
    void this.#engine?.kill(new Error('A statement took too long.'))
  }

  #lost(engine: Engine, cause: Error | undefined): void {
    this.#watchdog.rest()
    this.#engine = undefined
    this.#settleBegun(engine, cause)
    if (this.#state !== 'open') {
      this.#end(cause)
      return
    }
    if (!this.#slow) this.#options.logger.error({ err: cause }, 'PGlite stopped: it is reopened')
    this.#slow = undefined
    this.#idleLosses = engine.pulse.begun === 0 ? this.#idleLosses + 1 : 0
    this.#reopening = this.#reopen(cause)
  }

  /** Answers what had begun, and what belonged to the open transaction; the rest stays in the queue. */
  #settleBegun({ pulse }: Engine, cause: Error | undefined): void {
    const { begun, finished, logged } = pulse
    if (this.#holder) this.#holder.lost = true
    this.#holder = undefined
    const queue = this.#queue
    this.#queue = []
    for (const task of queue) {
      const { id = 0 } = task
      if (id > begun) {
        if (task.holder?.lost) settleLost(task)
        else this.#queue.push(task)
      } else {
        if (task.holder) task.holder.lost = true // also one whose BEGIN has not been answered
        const hadNoEffect = !mayCommit(task) || (id > finished && logged !== id)
        if (task === this.#slow && hadNoEffect) task.reject(DatabaseError.tooSlow())
        else task.reject(DatabaseError.stopped(cause))
      }
    }
  }

  async #reopen(cause: Error | undefined): Promise<void> {
    const waits = [...REOPEN_WAITS_MS, ...LATER_WAITS_MS]
    for (let tries = this.#idleLosses; this.#state === 'open'; tries += 1) {
      if (tries >= REOPEN_WAITS_MS.length) this.#refuseAll(cause)
      await delay(waits[tries] ?? LONGEST_WAIT_MS, undefined, { signal: this.#closing.signal }).catch(
        () => {},
      )
      if (this.#state !== 'open') return
      try {
        const { engine } = await this.#start()
        return this.#goOn(engine)
      } catch (err) {
        this.#options.logger.error({ err }, 'PGlite could not be reopened')
      }
    }
  }

  /** Nobody waits longer: until it is open again, everything is refused. */
  #refuseAll(cause: Error | undefined): void {
    if (!this.#down)
      this.#options.logger.error(
        { triedEveryMs: LONGEST_WAIT_MS },
        'PGlite is closed, and tried again and again: is there room on the disk?',
      )
    this.#down = cause ?? new Error('PGlite ended.')
    const queue = this.#queue
    this.#queue = []
    for (const { reject } of queue) reject(DatabaseError.stopped(this.#down))
  }

  /** Everything in the queue is posted in one step, so that nobody comes in between. */
  #goOn(engine: Engine): void {
    this.#engine = engine
    if (this.#state !== 'open') return
    this.#down = undefined
    this.#options.logger.info('PGlite is open again')
    const greeting = this.#options.greeting().map(
      (sql): Task => ({
        work: { type: 'run', sql, parameters: [], standing: 'outside' },
        holder: undefined,
        patienceMs: Number.POSITIVE_INFINITY,
        resolve: () => {},
        reject: (err) => this.#options.logger.error({ err, sql }, 'PGlite refused a statement of its own'),
      }),
    )
    const queue = this.#queue
    this.#queue = []
    for (const task of [...greeting, ...queue]) this.#enqueue(task)
  }

  #refusal(): DatabaseError {
    return this.#cause ? DatabaseError.stopped(this.#cause) : DatabaseError.closed()
  }

  #end(cause: Error | undefined): void {
    this.#state = 'ended'
    this.#cause = cause
    const queue = this.#queue
    this.#queue = []
    for (const { reject } of queue) reject(DatabaseError.stopped(cause))
    this.#options.onEnded(cause)
  }
}
