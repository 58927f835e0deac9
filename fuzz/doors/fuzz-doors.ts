import { Agent } from 'node:http'
import { asCurl } from '../../packages/backend/src/testing/fuzz/fuzz.js'
import { sendOver, type WireAnswer } from '../../packages/backend/src/testing/wire.js'
import type { DoorKeys } from './door-keys.js'
import { DOORS, type Door, type DoorRequest, doorRequest } from './door-request.js'

export interface DoorReport {
  sent: number
  /** How often each status came, at each door. */
  statuses: Record<Door, Record<number, number>>
  failures: string[]
}

const CONCURRENT = 8
const ANSWER_LIMIT_MS = 15_000
/** More would only say the same again. */
const FAILURES_KEPT = 20

export interface DoorFuzzOptions {
  url: string
  keys: DoorKeys
  seed: number
  from: number
  count: number
  /** Called now and then; throws when the server is not as it should be. */
  afterRound(sent: number): void
}

/** Hostile requests to all doors but the REST wire: no server error, an answer to each, and what was accepted is kept. */
export async function fuzzDoors(options: DoorFuzzOptions): Promise<DoorReport> {
  const { url, keys, seed, from, count, afterRound } = options
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT })
  const report: DoorReport = {
    sent: 0,
    statuses: { webhook: {}, 'web-call': {}, hook: {}, platform: {}, events: {} },
    failures: [],
  }
  const accepted: Accepted = { calls: new Set(), assistants: new Set() }
  let next = from
  const worker = async () => {
    while (next < from + count && report.failures.length < FAILURES_KEPT) {
      const index = next++
      const asked = doorRequest(seed, index, keys)
      const why = take(report, accepted, asked, await answerOf(url, asked, agent))
      if (why) report.failures.push(`number ${index}: ${why}\n    ${asCurl(url, asked.request)}`)
      if (report.sent % 300 === 0) afterRound(report.sent)
    }
  }
  try {
    await Promise.all(Array.from({ length: CONCURRENT }, worker))
  } finally {
    agent.destroy()
  }
  report.failures.push(...(await lost(url, keys, accepted)))
  return report
}

/** What the server said that it has taken. */
interface Accepted {
  calls: Set<string>
  assistants: Set<string>
}

async function answerOf(url: string, { request }: DoorRequest, agent: Agent): Promise<WireAnswer | string> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer in time')), ANSWER_LIMIT_MS).unref()
  })
  const once = (way?: Agent) => Promise.race([sendOver(url, request, way), late])
  try {
    return await once(agent).catch(() => once())
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function take(
  report: DoorReport,
  accepted: Accepted,
  { door, request }: DoorRequest,
  answer: WireAnswer | string,
) {
  report.sent += 1
  if (typeof answer === 'string') return `no answer: ${answer}`
  const { status, text } = answer
  const statuses = report.statuses[door]
  statuses[status] = (statuses[status] ?? 0) + 1
  // A full house and a crowd in line are no errors of ours.
  if (status >= 500 && status !== 503) return `a server error: ${status} ${text.slice(0, 200)}`
  const { method, path } = request
  if (status === 202 && path.startsWith('/-/backend/functions/v1/call-me')) accepted.calls.add(idIn(text))
  if (status === 201 && method === 'POST' && path === '/-/platform/assistant')
    accepted.assistants.add(idIn(text))
  return undefined
}

const idIn = (text: string): string => String(Reflect.get(Object(JSON.parse(text)), 'id'))

/** What was accepted and is not there. */
async function lost(url: string, keys: DoorKeys, { calls, assistants }: Accepted): Promise<string[]> {
  const failures: string[] = []
  const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
  const exported = await (await fetch(`${url}/-/office/calls/export`, bearer(keys.secret))).text()
  const missing = [...calls].filter((id) => !exported.includes(id))
  if (missing.length > 0)
    failures.push(`${missing.length} of ${calls.size} accepted calls are lost: ${missing.slice(0, 3)}`)
  for (const id of assistants) {
    const { status } = await fetch(`${url}/-/platform/assistant/${id}`, bearer(keys.platformPrivate))
    if (status !== 200) failures.push(`the assistant ${id} was accepted, and is answered with ${status}`)
  }
  console.log(
    `  kept: ${calls.size - missing.length} of ${calls.size} calls, ${assistants.size} assistants looked at`,
  )
  return failures
}

/** As a line for each door. */
export const statusLines = ({ statuses }: DoorReport): string[] =>
  DOORS.map((door) => {
    const counted = Object.entries(statuses[door]).map(([status, many]) => `${many} × ${status}`)
    return `  ${door}: ${counted.join(', ')}`
  })
