import { setTimeout as delay } from 'node:timers/promises'
import { numberOf } from '../../apps/server/src/testing/call-requests.js'
import { Connection } from '../backend/connection.js'
import type { Database } from '../backend/filled-heyline.js'
import { limited } from '../report/limit.js'
import { type Figure, median, ms } from '../report/table.js'
import { MeasuredDesk } from './measured-desk.js'
import { callRequest, serverMessage } from './wire.js'

const ROUNDS = 7
const REQUESTS_APART_MS = 10
/** While calls are paused: an address that is refused a hundred times is refused for an hour. */
const REFUSED_APART_MS = 200
/** So much is dialled before each pause, in this time. */
const DIALS_BEFORE = 30
const LONGEST_MS = 20_000
/** How long is looked for what is dialled after a pause. */
const LOOK_MS = 1_500

/** How soon nothing more is dialled when an operator pauses under load, and how soon who says 'stop calling me' is on the list. */
export async function measureStopping(database: Database): Promise<Figure[]> {
  const dials: number[] = []
  const numbers = new Map<string, string>()
  const desk = await MeasuredDesk.start(database, ({ id, number }, at) => {
    dials.push(at)
    numbers.set(id, number)
  })
  try {
    const pauses = await times(() => pausedAfter(desk, dials))
    const stops: number[] = []
    for (const [id, number] of [...numbers].slice(-ROUNDS)) stops.push(await listedAfter(desk, id, number))
    return [
      limited({
        what: 'pause → last dial, worst',
        value: Math.max(...pauses),
        limit: 1000,
        show: ms,
        beside: `median of ${ROUNDS} ${ms(median(pauses))}; ${1000 / REQUESTS_APART_MS} requests/s`,
      }),
      limited({
        what: "'stop calling me' → on the list, worst",
        value: Math.max(...stops),
        limit: 1000,
        show: ms,
        beside: `median of ${stops.length} ${ms(median(stops))}`,
      }),
    ]
  } finally {
    await desk.stop()
  }
}

async function times(measure: () => Promise<number>): Promise<number[]> {
  const found: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) found.push(await measure())
  return found
}

let asked = 0

/** From the pause's being asked for to the last request that the platform gets, while requests for calls go on. */
async function pausedAfter(desk: MeasuredDesk, dials: number[]): Promise<number> {
  const connection = await Connection.open(desk.url)
  let paused = false
  let over = false
  const asking = (async () => {
    while (!over) {
      await connection.ask(callRequest(numberOf(asked++), () => {}).request)
      await delay(paused ? REFUSED_APART_MS : REQUESTS_APART_MS)
    }
  })()
  const underWay = dials.length + DIALS_BEFORE
  for (const deadline = performance.now() + LONGEST_MS; dials.length < underWay; await delay(5))
    if (performance.now() > deadline) throw new Error('too little is dialled to be paused')
  const at = performance.now()
  await desk.office('POST', '/calls/pause')
  paused = true
  await delay(LOOK_MS)
  over = true
  await asking
  connection.close()
  await desk.office('POST', '/calls/resume')
  return Math.max(0, (dials.at(-1) ?? Number.NaN) - at)
}

/** From the message that holds the words to the number's being on the list. */
async function listedAfter(desk: MeasuredDesk, callId: string, number: string): Promise<number> {
  const connection = await Connection.open(desk.url)
  const call = { id: callId }
  const said = {
    type: 'transcript',
    transcriptType: 'final',
    role: 'user',
    transcript: 'Please stop calling me.',
  }
  const { request, check } = serverMessage({ ...said, timestamp: Date.now(), call })
  const at = performance.now()
  check(await connection.ask(request))
  connection.close()
  for (const deadline = at + 5_000; performance.now() < deadline; await delay(2)) {
    const list = await desk.office<object>('POST', '/do-not-call/list', {})
    if (JSON.stringify(list).includes(number)) return performance.now() - at
  }
  return Number.NaN
}
