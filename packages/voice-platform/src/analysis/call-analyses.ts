import type { Clock } from '@heyline/kit/clock'
import type { Analysis, AnalysisCost } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { analysisPlan } from '../assistants/analysis-plan-schema.js'
import { modelCost, type Prices } from '../calls/call-costs.js'
import type { CallRow } from '../calls/call-row.js'
import type { CallStore } from '../calls/call-store.js'
import { transcriptOf } from '../calls/transcript.js'
import type { Model } from '../engines/engine.js'
import { EngineUsage } from '../engines/engine-usage.js'
import { OFFLINE_MODEL } from '../engines/offline/offline-model.js'
import { AnalysisLine } from './analysis-line.js'
import { type AnalysisStep, analysisSteps } from './analysis-steps.js'

/** A call with fewer lines is not analysed (the platform's own default). */
const LEAST_MESSAGES = 2
/** How long whoever asks waits for a call's analysis, in milliseconds. It is stored even if it comes later. */
const PATIENCE_MS = 20_000
/** Most characters of an answer that are read. */
const MOST_ANSWER = 20_000

export interface CallAnalysesOptions {
  model: Model
  /** Without them costs are not counted. */
  prices?: Prices | undefined
  store: Pick<CallStore, 'analysed'>
  clock: Clock
  logger: Logger
}

/**
 * Has the model conclude from ended calls what their `analysisPlan` asks for. A call without a plan costs nothing, and with the offline
 * model none is analysed. Few calls at a time are; a burst of them waits, and what is too much is left out, with a line in the log. Anybody may
 * begin browser calls, so they have a line of their own: however many there are, phone calls wait for none of them.
 */
export class CallAnalyses {
  readonly #options: CallAnalysesOptions
  readonly #lines = { phone: new AnalysisLine(), browser: new AnalysisLine() }
  /** Answers whoever waits for an analysis with the call as it is. */
  readonly #unanswered = new Set<() => void>()
  readonly #closed = new AbortController()

  constructor(options: CallAnalysesOptions) {
    this.#options = options
  }

  /** Resolves with the call and its analysis, or with the call as it is after 20 s. Undefined where nothing is to be analysed. Never rejects. */
  of(row: CallRow): Promise<CallRow> | undefined {
    const steps = this.#stepsOf(row)
    if (steps.length === 0 || this.#closed.signal.aborted) return undefined
    const line = row.type === 'webCall' ? this.#lines.browser : this.#lines.phone
    if (line.isFull) {
      this.#options.logger.warn({ callId: row.id }, 'a call is not analysed: too many wait for it')
      return undefined
    }
    const { clock } = this.#options
    return new Promise((resolve) => {
      const answer = (concluded: CallRow) => {
        stopWaiting()
        this.#unanswered.delete(giveUp)
        resolve(concluded)
      }
      const giveUp = () => answer(row)
      const stopWaiting = clock.after(PATIENCE_MS, giveUp)
      this.#unanswered.add(giveUp)
      line.enter(async () => answer((await this.#analyse(row, steps)) ?? row))
    })
  }

  /** Breaks off what runs, and forgets what waits. Idempotent. */
  close(): void {
    this.#closed.abort(new DOMException('the platform closes', 'AbortError'))
    for (const line of Object.values(this.#lines)) line.clear()
    for (const giveUp of this.#unanswered) giveUp()
  }

  #stepsOf(row: CallRow): AnalysisStep[] {
    const { model, clock, logger } = this.#options
    const given = row.assistant.analysisPlan
    if (given === undefined || model.name === OFFLINE_MODEL) return []
    const plan = analysisPlan.safeParse(given)
    if (!plan.success) {
      logger.warn({ callId: row.id }, 'a call is not analysed: its analysisPlan is none that is served')
      return []
    }
    const lines = row.messages.filter(({ role }) => role !== 'system').length
    if (lines === 0 || lines < (plan.data.minMessagesThreshold ?? LEAST_MESSAGES)) return []
    return analysisSteps(plan.data, {
      transcript: transcriptOf(row.messages),
      systemPrompt: row.messages.find(({ role }) => role === 'system')?.message ?? '',
      endedReason: row.ended_reason ?? '',
      now: new Date(clock.now()),
    })
  }

  /** Never rejects. */
  async #analyse(row: CallRow, steps: readonly AnalysisStep[]): Promise<CallRow | undefined> {
    const { store, logger } = this.#options
    const analysis: Analysis = {}
    const costs: AnalysisCost[] = []
    for (const step of steps) {
      const found = await this.#ask(row, step, costs)
      if (this.#closed.signal.aborted) return undefined
      if (found) Object.assign(analysis, { ...found, ...joined(analysis, found) })
    }
    if (Object.keys(analysis).length === 0 && costs.length === 0) return undefined
    try {
      return await store.analysed(row.id, analysis, this.#options.prices && costs)
    } catch (error) {
      logger.error({ callId: row.id, err: error }, 'the analysis of a call was not stored')
      return { ...row, analysis }
    }
  }

  async #ask(row: CallRow, step: AnalysisStep, costs: AnalysisCost[]): Promise<Analysis | undefined> {
    const { model, clock, logger, prices } = this.#options
    const timedOut = new AbortController()
    const stopTimeout = clock.after(step.timeoutSeconds * 1000, () =>
      timedOut.abort(new Error(`no answer within ${step.timeoutSeconds} s`)),
    )
    const usage = new EngineUsage()
    let answer = ''
    try {
      const signal = AbortSignal.any([timedOut.signal, this.#closed.signal])
      const named = row.assistant.model?.model
      const asked = prices ? usage.ofModel(model) : model
      const reply = asked.reply(step.messages, {
        ...{ signal, maxTokens: step.maxTokens, temperature: 0 },
        ...(named !== undefined && { model: named }),
      })
      for await (const piece of reply) {
        signal.throwIfAborted()
        answer += piece
        if (answer.length > MOST_ANSWER) break
      }
      const found = step.read(answer)
      if (!found)
        logger.warn(
          { callId: row.id, step: step.name },
          'an answer of the analysis is left out: it is not what was asked for',
        )
      return found
    } catch (error) {
      if (!this.#closed.signal.aborted)
        logger.warn(
          { callId: row.id, step: step.name, err: error },
          'a step of the analysis of a call failed; it is left out',
        )
      return undefined
    } finally {
      stopTimeout()
      const [analysisType = step.name] = step.name.split('Multi')
      const named = { model: row.assistant.model?.model }
      if (prices) costs.push({ type: 'analysis', analysisType, ...modelCost(prices, named, usage) })
    }
  }
}

/** The items of several plans, in their order. */
const joined = (before: Analysis, { structuredDataMulti }: Analysis): Analysis =>
  structuredDataMulti
    ? { structuredDataMulti: [...(before.structuredDataMulti ?? []), ...structuredDataMulti] }
    : {}
