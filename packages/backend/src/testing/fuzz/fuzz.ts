import { Agent } from 'node:http'
import { secretIn } from '../hidden-visitors.js'
import { sendOver, type WireAnswer, type WireRequest } from '../wire.js'
import type { Asker } from './grammar.js'
import { type HostileRequest, hostileRequest, type Keys } from './hostile-request.js'

export interface FuzzOptions {
  /** The wire's base URL. */
  base: string
  keys: Keys
  seed: number
  /** Number of the first request, and how many there are. */
  from?: number
  count: number
  /** Puts the planted rows back: the service's requests may change them, and those with the public key must find them. */
  plant(): Promise<void>
  /** Called between rounds with the number of requests so far; rejects when the server is not as it should be. */
  afterRound?(sent: number): Promise<void> | void
}

export interface FuzzFailure {
  index: number
  request: WireRequest
  why: string
}

export interface FuzzReport {
  sent: number
  /** How often each status came. */
  statuses: Record<number, number>
  /** Of the requests that were left valid: how many there were for each asker, and how many of them went well. */
  valid: Record<Asker, { sent: number; ok: number }>
  /** Answers that showed a visitor to whoever named it. */
  shown: number
  failures: FuzzFailure[]
}

/** In a round the public key asks first, while the planted rows are as they were. */
const ROUND = 300
const CONCURRENT = 8
const ANSWER_LIMIT_MS = 15_000
/** Of an answer to the public key: no character is shorter than a byte. */
const PUBLIC_CHARACTERS = 2_000_000
/** As a filter, and not inside of another one's value. */
const REGULAR_EXPRESSION = /^\/rest\/v1\/(?:visitors|ledger)\?(?:[^#]*&)?[a-z_]+=(?:not\.)?i?match\./
/** More would only say the same again. */
const FAILURES_KEPT = 20

/** Sends `count` requests and judges every answer: no server error, no secret, and an answer to each. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { base, keys, seed, from = 0, count, plant, afterRound } = options
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT })
  const report: FuzzReport = {
    sent: 0,
    statuses: {},
    valid: { public: { sent: 0, ok: 0 }, service: { sent: 0, ok: 0 } },
    shown: 0,
    failures: [],
  }
  const indexes = Array.from({ length: count }, (_, at) => from + at)
  try {
    for (const round of chunks(indexes, ROUND)) {
      await plant()
      for (const asker of ['public', 'service'] as const)
        await eachOf(
          round.filter((index) => askerOf(index) === asker),
          async (index) => {
            const hostile = hostileRequest(seed, index, asker, keys)
            const answer = await answerOf(base, hostile.request, agent)
            const why = take(report, hostile, answer)
            if (why && report.failures.length < FAILURES_KEPT)
              report.failures.push({ index, request: hostile.request, why })
          },
        )
      await afterRound?.(report.sent)
      if (report.failures.length >= FAILURES_KEPT) break
    }
  } finally {
    agent.destroy()
  }
  return report
}

const askerOf = (index: number): Asker => (index % ROUND < ROUND / 2 ? 'public' : 'service')

/** An answer, or why there is none. A connection that the server closed meanwhile is tried once more. */
async function answerOf(base: string, request: WireRequest, agent: Agent): Promise<WireAnswer | string> {
  const once = (way?: Agent): Promise<WireAnswer> =>
    Promise.race([
      sendOver(base, request, way),
      new Promise<never>((_, reject) => {
        const timer = setTimeout(() => reject(new Error('no answer in time')), ANSWER_LIMIT_MS)
        timer.unref()
      }),
    ])
  try {
    return await once(agent).catch(() => once())
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Counts the answer; says what is wrong with it, if something is. */
function take(report: FuzzReport, { request, asker, valid }: HostileRequest, answer: WireAnswer | string) {
  report.sent += 1
  if (typeof answer === 'string') return `no answer: ${answer}`
  const { status, text } = answer
  report.statuses[status] = (report.statuses[status] ?? 0) + 1
  if (valid) {
    report.valid[asker].sent += 1
    if (status < 300) report.valid[asker].ok += 1
  }
  if (status >= 500) return `a server error: ${status} ${text.slice(0, 200)}`
  if (asker === 'service') return undefined
  if (text.length > PUBLIC_CHARACTERS) return `an answer of ${text.length} characters`
  if (status < 300 && request.method !== 'OPTIONS' && REGULAR_EXPRESSION.test(request.path))
    return 'a regular expression was taken'
  const secret = secretIn(answer, request)
  if (secret) return `the answer holds ${secret}`
  if (status < 300 && /hush-|hidden-lead-/.test(text)) report.shown += 1
  return undefined
}

function* chunks<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}

/** Several at a time, all of them done at the end. */
async function eachOf<T>(list: readonly T[], run: (one: T) => Promise<void>): Promise<void> {
  const waiting = list.values()
  const worker = async (): Promise<void> => {
    for (const one of waiting) await run(one)
  }
  await Promise.all(Array.from({ length: CONCURRENT }, worker))
}

/** The request as a command that sends it again. */
export function asCurl(base: string, { method, path, headers, body }: WireRequest): string {
  const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
  const sent = headers.map(([name, value]) => `-H ${word(`${name}: ${value}`)}`)
  const data = body === undefined ? [] : [`--data-raw ${word(String(body))}`]
  return ['curl -g --path-as-is', `-X ${method}`, ...sent, ...data, word(base + path)].join(' ')
}
