import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { TestAttempt, TestResult } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { templateFiller } from '../assistants/template.js'
import type { Prices } from '../calls/call-costs.js'
import { CallSpeakers, type CallSpeakersOptions } from '../calls/call-speakers.js'
import type { Model } from '../engines/engine.js'
import { OFFLINE_MODEL } from '../engines/offline/offline-model.js'
import { ApiError } from '../resources/api-error.js'
import type { ResourceStore } from '../resources/resource-store.js'
import type { Retries } from '../work/retries.js'
import { BudgetedModel } from './run-budget.js'
import { type Part, type PlannedTest, type PlanSources, type RunPlan, runPlan } from './run-plan.js'
import { playAttempt } from './test-attempt.js'
import { TextSpeaker } from './text-speaker.js'
import { writtenCall } from './written-call.js'

/** Most runs that wait for their turn in one process. One plays at a time. */
const MOST_WAITING = 10
/** How many attempts of it are played at the same time. */
const AT_ONCE = 4
/** Longest that a run plays, in milliseconds. */
const LONGEST_MS = 10 * 60_000
/** An unfinished run that nobody has touched for so long was left behind by a process that is gone. */
const LEFT_BEHIND = "interval '15 minutes'"
/** Most bytes of a run's results: of the attempts after that only the judgement is kept. */
const MOST_BYTES = 800_000
const MOST_SCRIPT = 20_000

export interface TestRunsOptions extends PlanSources, Omit<CallSpeakersOptions, 'model' | 'logger' | 'find'> {
  db: Db
  suites: ResourceStore
  tests: ResourceStore
  runs: ResourceStore
  /** Plays both sides, and judges. */
  model: Model
  prices?: Prices | undefined
  retries: Retries
  clock: Clock
  logger: Logger
}

interface Waiting {
  id: string
  plan: RunPlan
}

/** Plays the tests of suites in writing: one run at a time, bounded in time, requests and money. Its results are stored as they come. */
export class TestRuns {
  readonly #options: TestRunsOptions
  readonly #waiting: Waiting[] = []
  readonly #closed = new AbortController()
  #playing: Promise<void> | undefined
  #stopPlaying: { id: string; stop: AbortController } | undefined

  constructor(options: TestRunsOptions) {
    this.#options = options
  }

  /** What a run of this suite plays. Rejects with an `ApiError` where it cannot be run now. */
  async planOf(suiteId: string): Promise<RunPlan> {
    const { model, suites, tests } = this.#options
    if (model.name === OFFLINE_MODEL)
      throw ApiError.notServed(
        'Test runs are not served with the offline model: it cannot judge. A run needs a model engine, so set MODEL_URL.',
      )
    if (this.#waiting.length >= MOST_WAITING)
      throw new ApiError(429, `${MOST_WAITING} test runs wait already. Try again when one is over.`, {
        retryAfterSeconds: 60,
      })
    const suite = await suites.get(suiteId)
    if (!suite) throw new ApiError(404, `Test suite ${suiteId} does not exist.`)
    const found = await tests.list({ limit: 1_000 }, { "settings ->> 'testSuiteId'": suiteId })
    // What answers show lacks the secrets of the tools in its plans.
    const whole = await suites.wholeOf(suiteId)
    if (!whole) throw new ApiError(404, `Test suite ${suiteId} does not exist.`)
    return await runPlan({ ...whole, orgId: suite.orgId }, found.toReversed(), this.#options)
  }

  /** Plays a stored run when its turn has come. */
  begin(id: string, plan: RunPlan): void {
    this.#waiting.push({ id, plan })
    this.#next()
  }

  /** Forgets a run, or breaks it off. */
  drop(id: string): void {
    const at = this.#waiting.findIndex((run) => run.id === id)
    if (at !== -1) this.#waiting.splice(at, 1)
    if (this.#stopPlaying?.id === id) this.#stopPlaying.stop.abort(new DOMException('deleted', 'AbortError'))
  }

  /** Runs that a process left behind have failed. */
  async settleLeftBehind(): Promise<void> {
    await this.#options.db.query(
      `update voice_platform.resources set settings = settings || '{"status":"failed"}', updated_at = now()
       where family = 'test-suite-run' and status in ('queued', 'in-progress')
         and updated_at < now() - ${LEFT_BEHIND}`,
    )
  }

  /** Breaks off what plays; it and what waits have failed. Idempotent. */
  async close(): Promise<void> {
    this.#closed.abort(new DOMException('the platform closes', 'AbortError'))
    await this.#playing
    for (const { id } of this.#waiting.splice(0)) await this.#store(id, { status: 'failed' })
  }

  #next(): void {
    if (this.#playing || this.#closed.signal.aborted) return
    const run = this.#waiting.shift()
    if (!run) return
    this.#playing = this.#play(run).finally(() => {
      this.#playing = undefined
      this.#next()
    })
  }

  /** Never rejects. */
  async #play({ id, plan }: Waiting): Promise<void> {
    const { clock, logger } = this.#options
    const stop = new AbortController()
    this.#stopPlaying = { id, stop }
    const stopTimeout = clock.after(LONGEST_MS, () =>
      stop.abort(new Error('A run takes ten minutes at most.')),
    )
    const results = plan.tests.map(({ shown }): TestResult => ({ test: shown, attempts: [] }))
    const signal = AbortSignal.any([stop.signal, this.#closed.signal])
    try {
      // Those that wait are not left behind.
      for (const { id: waiting } of this.#waiting) await this.#store(waiting, { status: 'queued' })
      await this.#store(id, { status: 'in-progress' })
      await this.#playAll(id, plan, results, signal)
      await this.#store(id, { status: 'completed', testResults: results })
    } catch (error) {
      logger.warn({ runId: id, err: error }, 'a test run has failed')
      sayWhy(error, results)
      await this.#store(id, { status: 'failed', testResults: results })
    } finally {
      stopTimeout()
      this.#stopPlaying = undefined
    }
  }

  async #playAll(
    id: string,
    plan: RunPlan,
    results: readonly TestResult[],
    signal: AbortSignal,
  ): Promise<void> {
    const model = new BudgetedModel(this.#options.model, this.#options.prices)
    const failed = new AbortController()
    const either = AbortSignal.any([signal, failed.signal])
    const attempts = plan.tests.flatMap((test, index) =>
      Array.from({ length: test.numAttempts ?? 1 }, () => ({ test, into: results[index]?.attempts ?? [] })),
    )
    let bytes = 0
    const work = async () => {
      for (let next = attempts.shift(); next; next = attempts.shift()) {
        either.throwIfAborted()
        const { test, into } = next
        const attempt = await this.#attempt(test, plan, model, either)
        bytes += Buffer.byteLength(JSON.stringify(attempt))
        const { call: _, ...judged } = attempt
        into.push(bytes > MOST_BYTES ? judged : attempt)
        await this.#store(id, { testResults: results })
      }
    }
    const workers = Array.from({ length: AT_ONCE }, () =>
      work().catch((error: unknown) => {
        failed.abort(error)
        throw error
      }),
    )
    const ended = await Promise.allSettled(workers)
    for (const end of ended) if (end.status === 'rejected') throw either.reason ?? end.reason
  }

  async #attempt(
    test: PlannedTest,
    { orgId, target, tester }: RunPlan,
    model: Model,
    signal: AbortSignal,
  ): Promise<TestAttempt> {
    const now = new Date(this.#options.clock.now())
    const values = tester.overrides?.variableValues ?? {}
    const fill = templateFiller({ values, now })
    const overrides = {
      ...tester.overrides,
      variableValues: { ...values, test: { script: fill(test.script, MOST_SCRIPT) } },
    }
    return await playAttempt({
      target: await this.#writer(target, { orgId, now, model }),
      tester: await this.#writer({ ...tester, overrides }, { orgId, now, model }),
      rubrics: test.scorers.map(({ rubric }) => fill(rubric, MOST_SCRIPT)),
      model,
      signal,
    })
  }

  async #writer(
    part: Part,
    { orgId, now, model }: { orgId: string; now: Date; model: Model },
  ): Promise<TextSpeaker> {
    const { clock, logger } = this.#options
    const call = writtenCall({ ...part, orgId, now })
    const speaker = await new CallSpeakers(call, { ...this.#options, model, logger }).first()
    return new TextSpeaker(speaker, clock, logger)
  }

  /** Resolves once it is stored, or the run is gone, or the platform closes. Never rejects. */
  async #store(id: string, settings: Record<string, unknown>): Promise<void> {
    const { runs, retries, logger } = this.#options
    try {
      const stored = await retries.run(
        () => runs.update(id, settings),
        (error) => logger.warn({ runId: id, err: error }, 'a test run is not stored yet; it is tried again'),
      )
      if (!stored) this.drop(id)
    } catch (error) {
      logger.error({ runId: id, err: error }, 'a test run was not stored')
    }
  }
}

/** The API has no place for the reason of a failed run: each test that was not played to its end names it as its judgement. */
function sayWhy(error: unknown, results: readonly TestResult[]): void {
  const reason = error instanceof Error ? error.message : 'the run was broken off'
  const reasoning = `Not played: ${reason}`.slice(0, 1_000)
  for (const { test, attempts } of results)
    if (attempts.length < (test.numAttempts ?? 1))
      attempts.push({
        scorerResults: test.scorers.map(({ rubric }) => ({ type: 'ai', result: 'fail', reasoning, rubric })),
      })
}
