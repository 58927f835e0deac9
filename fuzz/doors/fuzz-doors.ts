import { Agent } from 'node:http'
import { asCurl } from '../../packages/backend/src/testing/fuzz/fuzz.js'
import { sendOver, type WireAnswer } from '../../packages/backend/src/testing/wire.js'
import { humanToken } from '../../packages/call-desk/src/testing/human-token.js'
import { type BrowserCalls, DOORS, type Door } from './door.js'
import type { DoorKeys } from './door-keys.js'
import { type DoorRequest, doorRequest } from './door-request.js'
import { hear, nothingTold, type Told } from './told.js'

export interface DoorReport {
  sent: number
  /** How often each status came, at each door. */
  statuses: Map<Door, Record<number, number>>
  failures: string[]
}

const CONCURRENT = 8
const ANSWER_LIMIT_MS = 15_000
/** More would only say the same again. */
const FAILURES_KEPT = 20
/** Of so many requests to one door, some have to go well. */
const MANY = 100

export interface DoorFuzzOptions {
  url: string
  keys: DoorKeys
  browserCalls: BrowserCalls
  seed: number
  from: number
  count: number
  /** Called now and then; throws when the server is not as it should be. */
  afterRound(sent: number): void
}

/**
 * Hostile requests to all doors but the REST wire: no server error, an answer to each, nothing that is forged is taken, what was accepted
 * is kept, and each door opens to some.
 */
export async function fuzzDoors(options: DoorFuzzOptions): Promise<DoorReport> {
  const { url, keys, browserCalls, seed, from, count, afterRound } = options
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT })
  const report: DoorReport = { sent: 0, statuses: new Map(), failures: [] }
  for (const door of DOORS[browserCalls]) report.statuses.set(door, {})
  const told = nothingTold()
  let next = from
  const worker = async () => {
    while (next < from + count && report.failures.length < FAILURES_KEPT) {
      const index = next++
      const asked = doorRequest(seed, index, { browserCalls, keys, told })
      const why = take(report, told, asked, await answerOf(url, asked, agent))
      if (why) report.failures.push(`number ${index}: ${why}\n    ${asCurl(url, asked.request)}`)
      if (report.sent % 300 === 0) afterRound(report.sent)
    }
  }
  try {
    await Promise.all(Array.from({ length: CONCURRENT }, worker))
  } finally {
    agent.destroy()
  }
  report.failures.push(...shut(report), ...(await lost(url, keys, told)))
  return report
}

async function answerOf(
  url: string,
  { request, from, checkFor }: DoorRequest,
  agent: Agent,
): Promise<WireAnswer | string> {
  try {
    const { headers } = request
    const check = checkFor === undefined ? undefined : await checked(url, checkFor, from)
    const whole = { ...request, headers: check ? [...headers, check] : headers }
    const once = (way?: Agent) => inTime(sendOver(url, whole, way, isFirstState))
    return await once(agent).catch(() => once())
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A stream that follows a call goes on until the call is over. */
const isFirstState = (text: string): boolean => text.includes('event: state')

async function checked(url: string, slug: string, from: string): Promise<[name: string, value: string]> {
  return ['x-human-check', await humanToken(url, slug, { 'x-forwarded-for': from })]
}

async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), ANSWER_LIMIT_MS)
  })
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

function take(
  report: DoorReport,
  told: Told,
  { door, request, isForged }: DoorRequest,
  answer: WireAnswer | string,
) {
  report.sent += 1
  if (typeof answer === 'string') return `no answer: ${answer}`
  const { status, text } = answer
  const statuses = report.statuses.get(door)
  if (statuses) statuses[status] = (statuses[status] ?? 0) + 1
  // A full house and a crowd in line are no errors of ours.
  if (status >= 500 && status !== 503) return `a server error: ${status} ${text.slice(0, 200)}`
  if (isForged && request.method === 'POST' && status < 300) return `a wrong proof was taken: ${status}`
  hear(told, request, answer)
  return undefined
}

/** Doors that opened to nobody: whatever is behind them was not tried. */
function shut({ statuses }: DoorReport): string[] {
  return [...statuses].flatMap(([door, counted]) => {
    const all = Object.values(counted).reduce((sum, many) => sum + many, 0)
    const isOpen = Object.keys(counted).some((status) => Number(status) < 300)
    return all < MANY || isOpen ? [] : [`the door ${door} opened to none of ${all} requests`]
  })
}

/** What was accepted and is not there. */
async function lost(url: string, keys: DoorKeys, { calls, assistants }: Told): Promise<string[]> {
  const failures: string[] = []
  const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
  const exported = await (await fetch(`${url}/-/office/calls/export`, bearer(keys.secret))).text()
  const missing = calls.filter((id) => !exported.includes(id))
  if (missing.length > 0)
    failures.push(`${missing.length} of ${calls.length} accepted calls are lost: ${missing.slice(0, 3)}`)
  for (const id of assistants) {
    const { status } = await fetch(`${url}/-/platform/assistant/${id}`, bearer(keys.platformPrivate))
    if (status !== 200) failures.push(`the assistant ${id} was accepted, and is answered with ${status}`)
  }
  console.log(
    `  kept: ${calls.length - missing.length} of ${calls.length} calls, ${assistants.length} assistants looked at`,
  )
  return failures
}

/** As a line for each door. */
export const statusLines = ({ statuses }: DoorReport): string[] =>
  [...statuses].map(([door, counted]) => {
    const lines = Object.entries(counted).map(([status, many]) => `${many} × ${status}`)
    return `  ${door}: ${lines.join(', ')}`
  })
